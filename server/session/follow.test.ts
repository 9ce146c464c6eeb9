import { describe, expect, it } from 'vitest';
import type { StreamEvent } from '@/server/contract/stream';
import { createGate, type Gate } from '@/server/model/testing/script';
import type { StreamSink } from './follow';
import type { TestApp } from './testing/an-app';
import { aTalk, connect, lines, manageApps, manageProviders } from './testing/stories';

const newApp = manageApps();
const newProvider = manageProviders();

interface Sent {
  readonly id?: string;
  readonly event: string;
  readonly data: unknown;
}

interface Asked {
  readonly sessions: string | null;
  readonly lastEventId?: string;
  /** Reads nothing more until this opens. */
  readonly gate?: Gate;
}

/** A client: what it was sent, cut off after so many messages. */
async function aClient({ app }: TestApp, request: Asked, most = Infinity) {
  const sent: Sent[] = [];
  let open = true;
  let wake: () => void = () => undefined;
  const sink: StreamSink = {
    send: (message) => {
      if (!open) return false;
      sent.push(message);
      open = sent.length < most;
      wake();
      return open;
    },
    drained: async () => {
      request.gate?.arrive();
      await request.gate?.opened;
    },
    isOpen: () => open,
    close: () => {
      open = false;
      wake();
    },
  };
  const leave = app.stream.follow(
    await app.stream.plan({ sessions: request.sessions, lastEventId: request.lastEventId ?? null }),
    sink,
  );
  const until = (passes: (all: readonly Sent[]) => boolean) =>
    new Promise<void>((resolve) => {
      wake = () => {
        if (passes(sent) || !open) resolve();
      };
      wake();
    });
  return { sent, leave, until };
}

const idsOf = (sent: readonly Sent[]) => sent.flatMap((message) => message.id ?? []);
const nameOf = ({ event, data }: Sent) => `${event} ${JSON.stringify(data)}`;

/** What the lines of a conversation tell, without the ephemeral. */
const durable: readonly StreamEvent['event'][] = ['chat.message', 'chat.turn', 'chat.compacted', 'chat.plan'];
const isDurable = (message: Sent) => durable.some((name) => name === message.event);

describe('a stream breaks off and resumes', () => {
  it('rel-R5: wherever it breaks, nothing is missing: cut after every message, then resumed', async () => {
    const test = await newApp();
    const id = await aTalk(test);
    await test.say(id, 'list');
    const whole = await aClient(test, { sessions: `${id}@0` });
    await whole.until((all) => all.at(-1)?.event === 'session.updated');
    whole.leave();
    const wanted = [...new Set(whole.sent.filter(isDurable).map(nameOf))];
    expect(wanted.length).toBeGreaterThan(5);
    for (let cut = 1; cut <= whole.sent.length; cut += 1) {
      const first = await aClient(test, { sessions: `${id}@0` }, cut);
      await first.until((all) => all.length >= cut);
      first.leave();
      const lastEventId = idsOf(first.sent).at(-1);
      const second = await aClient(test, { sessions: `${id}@0`, ...(lastEventId ? { lastEventId } : {}) });
      await second.until((all) => all.at(-1)?.event === 'session.updated');
      second.leave();
      const heard = [...first.sent, ...second.sent].filter(isDurable).map(nameOf);
      expect([...new Set(heard)]).toEqual(wanted);
      const twice = idsOf(second.sent).filter((each) => idsOf(first.sent).includes(each));
      expect(twice.filter((each) => each !== lastEventId)).toEqual([]);
    }
  });

  it('rel-R5: a line appended while the stream catches up elsewhere is told once', async () => {
    const test = await newApp();
    const [slow, busy] = [await aTalk(test), await aTalk(test)];
    await test.say(slow, 'help');
    const gate = createGate();
    const client = await aClient(test, { sessions: `${slow}@0,${busy}@0`, gate });
    await gate.reached;
    await test.say(busy, 'help');
    gate.open();
    const newest = (await lines(test, busy)).at(-1)?.seq;
    await client.until((all) => idsOf(all).includes(`${busy}:${newest}`));
    await test.say(busy, 'once more');
    const last = (await lines(test, busy)).at(-1)?.seq;
    await client.until((all) => idsOf(all).includes(`${busy}:${last}`));
    const turns = client.sent.filter((message) => message.event === 'chat.turn').map(nameOf);
    expect(turns).toHaveLength(6);
    expect(new Set(turns).size).toBe(6);
    client.leave();
  });

  it('contract 16: text on its way is told from its start to whoever comes later', async () => {
    const provider = await newProvider();
    const test = await newApp();
    const id = await aTalk(test, connect(test, provider));
    const gate = createGate();
    provider.push({
      parts: [{ text: 'One ' }, { text: 'two ' }, { gate }, { text: 'three' }],
      end: { reason: 'stop' },
    });
    await test.app.messages.post(id, { text: 'count', clientMessageId: '1' }, 'owner');
    await test.until('chat.delta', (delta) => delta.text.includes('two'));
    const late = await aClient(test, { sessions: id });
    await late.until((all) => all.some((message) => message.event === 'chat.delta'));
    expect(late.sent.find((message) => message.event === 'chat.delta')?.data).toMatchObject({
      offset: 0,
      text: 'One two ',
    });
    gate.open();
    await test.until('chat.turn', (turn) => turn.state === 'finished');
    late.leave();
  });
});

describe('what a cursor may name (rel-R6)', () => {
  it('malformed, foreign, unknown and future ones are refused, and nothing is told', async () => {
    const test = await newApp();
    const [mine, other] = [await aTalk(test), await aTalk(test)];
    await test.say(mine, 'help');
    const plan = (sessions: string, lastEventId: string | null) => test.app.stream.plan({ sessions, lastEventId });
    const bad = [
      `${mine}`,
      `${mine}:`,
      `${mine}:-1`,
      `${mine}:1.5`,
      `${mine}:01`,
      `${mine}:9e9`,
      ':4',
      'x:4',
      `${mine}:4:4`,
      '',
    ];
    for (const lastEventId of bad) {
      await expect(plan(mine, lastEventId), lastEventId).rejects.toMatchObject({ code: 'invalid_request' });
    }
    await expect(plan(mine, `${other}:1`)).rejects.toMatchObject({ code: 'invalid_request' });
    await expect(plan(mine, `${mine}:100000`)).rejects.toMatchObject({ code: 'invalid_request' });
    await expect(plan(`${mine}@100000`, null)).rejects.toMatchObject({ code: 'invalid_request' });
    await expect(plan('01ARZ3NDEKTSV4RRFFQ69G5FAV', null)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('another conversation shows as a row only, under no id that a client could come back with', async () => {
    const test = await newApp();
    const [mine, other] = [await aTalk(test), await aTalk(test)];
    const client = await aClient(test, { sessions: mine });
    await client.until((all) => all.length > 0);
    await test.say(other, 'help');
    const others = client.sent.filter(({ data }) => JSON.stringify(data).includes(other));
    expect(new Set(others.map(({ event }) => event))).toEqual(new Set(['session.updated']));
    expect(idsOf(client.sent).filter((id) => !id.startsWith(mine))).toEqual([]);
    client.leave();
  });
});

describe('many watch', () => {
  it('perf-F4: what is told is turned into text once, however many are told', async () => {
    const test = await newApp();
    const id = await aTalk(test);
    const clients = await Promise.all(Array.from({ length: 20 }, () => aClient(test, { sessions: id })));
    for (const client of clients) await client.until((all) => all.some(({ event }) => event === 'session.updated'));
    const { stringify } = JSON;
    const written: unknown[] = [];
    JSON.stringify = (value: unknown, ...rest: unknown[]) => {
      written.push(value);
      return Reflect.apply(stringify, JSON, [value, ...rest]);
    };
    try {
      await test.app.small.setPlan(id, [{ id: 'p1', text: 'one thing', status: 'pending' }]);
      const isTold = (all: readonly Sent[]) => all.some(({ event }) => event === 'chat.plan');
      for (const client of clients) await client.until(isTold);
    } finally {
      JSON.stringify = stringify;
    }
    const plan = clients[0]?.sent.find(({ event }) => event === 'chat.plan')?.data;
    expect(written.filter((value) => value === plan)).toHaveLength(1);
    for (const client of clients) client.leave();
  });
});
