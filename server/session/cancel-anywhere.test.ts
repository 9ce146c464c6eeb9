import fc from 'fast-check';
import { afterEach, expect, it } from 'vitest';
import { createGate, createSignal, type FakeReply } from '@/server/model/testing/script';
import type { Workspace } from '@/server/ports/workspace';
import { anApp, type TestApp } from './testing/an-app';
import { createGuardClock, type GuardClock } from './testing/guard-clock';
import { WHOLE } from './testing/moods';
import { openStations, type Station } from './testing/stations';
import { linesOf, transcript } from './testing/stories';

/** `TIDEMARK_CANCEL_RUNS=1000` for a release. */
const RUNS = Number(process.env.TIDEMARK_CANCEL_RUNS ?? 40);

interface Scene {
  readonly test: TestApp;
  readonly clock: GuardClock;
  readonly stations: readonly Station[];
  /** Holds the next tool that reads the workspace; settles when it has begun. */
  readonly holdTool: () => { readonly reached: Promise<void>; readonly open: () => void };
}

const scenes: Scene[] = [];
afterEach(async () => {
  for (const { test, stations } of scenes.splice(0)) {
    await test.stop();
    await Promise.all(stations.map(({ server }) => server.close()));
  }
});

async function aScene(): Promise<Scene> {
  const clock = createGuardClock();
  let held: ReturnType<typeof createGate> | null = null;
  const workspace: Workspace = new Proxy({} as Workspace, {
    get: () => async () => {
      if (held !== null) {
        held.arrive();
        await held.opened;
      }
      return { ok: true, path: '', entries: [], more: 0, text: 'berths', bytes: 6, sha256: 'a'.repeat(64) };
    },
  });
  const test = await anApp({ fetch: (input, init) => fetch(input, init), startTimer: clock.startTimer, workspace });
  const stations = await openStations(test, () => 'is well');
  const holdTool = () => {
    const gate = createGate();
    held = gate;
    return {
      reached: gate.reached,
      open: () => {
        gate.open();
        held = null;
      },
    };
  };
  const scene = { test, clock, stations, holdTool };
  scenes.push(scene);
  return scene;
}

/** A turn brought to one of its states; `reached` settles there, and `open` lets it go on. */
interface Held {
  readonly replies: readonly FakeReply[];
  readonly reached: Promise<void>;
  readonly open: () => void;
}

const STATES: Readonly<Record<string, (scene: Scene) => Held>> = {
  'before the headers': () => {
    const gate = createGate();
    return { replies: [{ status: 500, body: {}, gate }], reached: gate.reached, open: gate.open };
  },
  'before any text': () => inReply((gate) => [{ gate }]),
  'in the text': () => inReply((gate) => [{ text: 'On my way' }, { gate }]),
  'in the thoughts': () => inReply((gate) => [{ reasoning: 'I wonder' }, { gate }]),
  'in a call': () =>
    inReply((gate) => [{ call: { id: 'c1', name: 'list_files', args: {}, rawArgs: '{"path' } }, { gate }]),
  'while a tool runs': ({ holdTool }) => ({ ...holdTool(), replies: [] }),
  'while it waits to try again': ({ clock }) => ({
    replies: [{ status: 503, body: { error: { message: 'overloaded' } } }],
    reached: clock.holdNextWait(),
    open: () => undefined,
  }),
};

function inReply(make: (gate: ReturnType<typeof createGate>) => Extract<FakeReply, { parts: unknown }>['parts']): Held {
  const gate = createGate();
  return { replies: [{ parts: make(gate), end: { reason: 'stop' } }], reached: gate.reached, open: gate.open };
}

const CALLS: Readonly<Record<string, string>> = {
  'openai-compatible': 'tool_calls',
  openai: 'completed',
  anthropic: 'tool_use',
  google: 'STOP',
};

it(`rel-R3, T3, case-E07: a stop in every state, in ${RUNS} interleavings: it ends, the queue is sent, no socket stays`, {
  timeout: 60_000 + RUNS * 6_000,
}, async () => {
  const scene = await aScene();
  const { test, stations } = scene;
  let round = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.constantFrom(...Object.keys(STATES)),
      fc.nat(stations.length - 1),
      fc.boolean(),
      async (scheduler, state, at, again) => {
        round += 1;
        const station = stations[at];
        const held = STATES[state]?.(scene);
        if (!station || !held) throw new Error('no such state');
        const { server, kind, models } = station;
        server.forget();
        if (held.replies.length === 0)
          server.push({
            parts: [{ call: { id: `c${round}`, name: 'list_files', args: { path: '' } } }],
            end: { reason: CALLS[kind] ?? '' },
          });
        server.push(...held.replies);
        const { id } = await test.app.sessions.create({ model: models[0] }, 'owner');
        const first = await test.app.messages.post(id, { text: 'go', clientMessageId: `a${round}` }, 'owner');
        await held.reached;
        // In any order: the person stops (twice, perhaps), says something else, and what was held goes on.
        const said = createSignal();
        let secondTurn = '';
        const stop = () => test.app.compactions.cancel(id, 'turn').catch(() => undefined);
        const acts: (readonly [string, () => unknown])[] = [
          ['stop', stop],
          ['open', held.open],
          [
            'say',
            async () => {
              secondTurn = (await test.app.messages.post(id, { text: 'next', clientMessageId: `b${round}` }, 'owner'))
                .turnId;
              said.resolve();
            },
          ],
          ...(again ? [['stop again', stop] as const] : []),
        ];
        for (const [name, act] of acts) void scheduler.schedule(Promise.resolve(), name).then(act);
        await scheduler.waitAll();
        await said.promise;
        // Whatever a late second stop ended, one more word is answered.
        const over = (turnId: string) =>
          test.until('chat.turn', (turn) => turn.turnId === turnId && turn.state !== 'started');
        await over(first.turnId);
        await over(secondTurn);
        held.open();
        server.forget();
        const last = await test.say(id, 'and now?');
        expect([state, kind, last.state]).toEqual([state, kind, 'finished']);
        await Promise.all(stations.map((one) => one.server.quiet()));
        expect(stations.map((one) => [one.server.answering(), one.server.refused])).toEqual(
          stations.map(() => [0, []]),
        );
        const calls = (await linesOf(test, id, 'message.assistant')).flatMap(({ parts }) =>
          parts.flatMap((part) => (part.type === 'tool_call' ? [part.callId] : [])),
        );
        const results = (await linesOf(test, id, 'tool.result')).map(({ callId }) => callId);
        expect(results.toSorted()).toEqual(calls.toSorted());
        expect((await test.app.sessions.get(id)).status).toBe('idle');
        const answers = (await transcript(test, id)).filter(({ role }) => role === 'assistant').at(-1);
        expect(JSON.stringify(answers)).toContain(WHOLE.slice(0, 30));
      },
    ),
    { numRuns: RUNS, seed: Number(process.env.TIDEMARK_CANCEL_SEED ?? 20_261_130), endOnFailure: true },
  );
});
