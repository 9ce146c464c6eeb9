import { randomUUID } from 'node:crypto';
import type { Model } from '../../server/contract/shapes';
import { createGate, type FakePart, type FakeReply } from '../../server/model/testing/script';
import { type Api, aTalk, listen, say, send, streams } from '../api/api-server';

export interface Moment {
  readonly api: Api;
  /** What the model says next, in this order; then it answers by itself. */
  readonly script: FakeReply[];
  /** A conversation with two exchanges behind it. */
  readonly session: string;
  /** Lets whatever waits at the provider go, so that nothing of it is left over. */
  readonly letGo: (() => void)[];
  /** Client ids of messages that were acknowledged. */
  readonly acknowledged: string[];
  /** Conversations that an answer named, and those an unfinished call may have made. */
  readonly made: string[];
}

/** A named point of the server's work: brings it there. What it leaves unfinished goes on while the server is killed. */
export interface KillPoint {
  readonly name: string;
  readonly arrive: (moment: Moment) => Promise<void>;
}

const LONG = 'One thing and another, and what there is to say of both. '.repeat(12);

/** A conversation that is long enough to be compacted. */
export async function beginTalk(api: Api, model: Model): Promise<string> {
  const session = await aTalk(api, model);
  for (const text of [LONG, `Further: ${LONG}`]) await say(api, session, text);
  return session;
}

function reply(...parts: FakePart[]): FakeReply {
  return { parts, end: { reason: 'stop', usage: { input: 10, output: 10 } } };
}

async function sendNoted({ api, session, acknowledged }: Moment, text: string) {
  const clientMessageId = randomUUID();
  const answer = await send(api, session, text, clientMessageId);
  acknowledged.push(clientMessageId);
  return answer;
}

/** A reply that stops in its middle until it is let go. */
async function streamHalf(moment: Moment): Promise<void> {
  const gate = createGate();
  moment.letGo.push(gate.open);
  moment.script.push(reply({ text: 'Half of the answer, ' }, { gate }, { text: 'and the rest.' }));
  const listener = await listen(moment.api, moment.session);
  await sendNoted(moment, 'A question.');
  await listener.until(streams('Half'));
  listener.close();
}

async function compactUntil(moment: Moment, ...before: FakePart[]) {
  const gate = createGate();
  moment.letGo.push(gate.open);
  moment.script.push(reply(...before, { gate }, { text: '## Objective\nnone' }));
  await moment.api.post(`/agent-sessions/${moment.session}/compact`);
  await gate.reached;
}

/** Its answer may or may not come before the end. */
const unfinished = (call: Promise<unknown>) => void call.catch(() => undefined);

export const killPoints: readonly KillPoint[] = [
  {
    name: 'a message on its way',
    arrive: async (moment) => unfinished(sendNoted(moment, 'Did this arrive?')),
  },
  {
    name: 'a model that is asked',
    arrive: async (moment) => {
      const gate = createGate();
      moment.letGo.push(gate.open);
      moment.script.push(reply({ gate }, { text: 'Late.' }));
      await sendNoted(moment, 'A question.');
      await gate.reached;
    },
  },
  { name: 'a reply in its middle', arrive: streamHalf },
  {
    name: 'a tool call in its middle',
    arrive: async (moment) => {
      const gate = createGate();
      moment.letGo.push(gate.open);
      const cut = { id: 'call-1', name: 'list_files', args: {}, rawArgs: '{"pa' };
      moment.script.push(reply({ text: 'I look.' }, { call: cut }, { gate }));
      await sendNoted(moment, 'What files are there?');
      await gate.reached;
    },
  },
  {
    name: 'a tool that has answered',
    arrive: async (moment) => {
      const gate = createGate();
      moment.letGo.push(gate.open);
      const call = { id: 'call-2', name: 'list_files', args: {} };
      const asks: FakeReply = { parts: [{ text: 'I look.' }, { call }], end: { reason: 'tool_calls' } };
      moment.script.push(asks, reply({ gate }, { text: 'There are some.' }));
      await sendNoted(moment, 'What files are there?');
      await gate.reached;
    },
  },
  {
    name: 'messages that wait',
    arrive: async (moment) => {
      await streamHalf(moment);
      for (const text of ['One waits.', 'Another waits.']) await sendNoted(moment, text);
    },
  },
  {
    name: 'a stop',
    arrive: async (moment) => {
      await streamHalf(moment);
      unfinished(moment.api.post(`/agent-sessions/${moment.session}/cancel`));
    },
  },
  { name: 'a summariser that is asked', arrive: (moment) => compactUntil(moment) },
  { name: 'a summary in its middle', arrive: (moment) => compactUntil(moment, { text: '## Objec' }) },
  {
    name: 'a summary that is taken',
    arrive: async (moment) => {
      const listener = await listen(moment.api, moment.session);
      await moment.api.post(`/agent-sessions/${moment.session}/compact`);
      await listener.until(({ event }) => event === 'chat.compacting');
      listener.close();
    },
  },
  {
    name: 'a fork',
    arrive: async ({ api, session, made }) => {
      unfinished(api.post(`/agent-sessions/${session}/fork`).then((fork) => made.push(idOf(fork))));
    },
  },
  {
    name: 'an import',
    arrive: async ({ api, session, made }) => {
      const log = String(await api.get(`/agent-sessions/${session}/log`));
      const headers = { origin: api.origin, 'content-type': 'application/octet-stream' };
      const call = fetch(`${api.origin}/v1/import?name=it.jsonl`, { method: 'POST', headers, body: log });
      const keep = async (response: Response) => {
        const { sessions } = await response.json();
        made.push(idOf(sessions[0]));
      };
      unfinished(call.then(keep));
    },
  },
];

function idOf(made: unknown): string {
  if (typeof made === 'object' && made !== null && 'id' in made && typeof made.id === 'string') return made.id;
  throw new Error(`no conversation: ${JSON.stringify(made)}`);
}
