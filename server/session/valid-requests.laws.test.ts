import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { StoredEvent } from '@/server/contract/events/event';
import { anApp } from './testing/an-app';
import { createHandClock } from './testing/hand-clock';
import { lines } from './testing/stories';
import { ACT_NAMES, setOut } from './testing/wanderer';

/** `TIDEMARK_LAW_RUNS=200` takes minutes and walks further. */
const RUNS = Number(process.env.TIDEMARK_LAW_RUNS ?? 10);

const walk = fc.record({
  first: fc.nat(6),
  steps: fc.array(fc.record({ act: fc.constantFrom(...ACT_NAMES), pick: fc.nat(10_000) }), {
    minLength: 10,
    maxLength: 24,
  }),
});

/** What the walks came by; a law about changes that never came would hold for nothing. */
const SEEN: readonly StoredEvent['type'][] = ['view.trimmed', 'checkpoint.committed', 'head.reverted', 'tool.result'];

it('G1, G2, G3, B5: no way through a conversation makes a request that a provider refuses', {
  timeout: 580_000,
}, async () => {
  const asked = new Map<string, number>();
  const types = new Set<string>();
  await fc.assert(
    fc.asyncProperty(walk, async ({ first, steps }) => {
      const test = await anApp({
        fetch: (input, init) => fetch(input, init),
        startTimer: createHandClock().startTimer,
      });
      const wanderer = await setOut(test, first);
      try {
        // What a walk seldom comes by: signatures of a sibling, and ids that are used again.
        const opening = [
          { act: 'asks the other of the two', pick: first },
          { act: 'uses an id again', pick: 0 },
        ];
        for (const { act, pick } of [...opening, ...steps]) await wanderer.act(act, pick);
        for (const { id } of test.app.sessions.list({ limit: 100 }).sessions)
          for (const { type } of await lines(test, id).catch(() => [])) types.add(type);
        for (const { kind, server } of wanderer.stations) {
          expect(server.refused.map(({ id, words, text }) => ({ kind, id, words, text: text.slice(-3_000) }))).toEqual(
            [],
          );
          asked.set(kind, (asked.get(kind) ?? 0) + server.requests.length);
        }
      } finally {
        await test.stop();
        await wanderer.close();
      }
    }),
    { numRuns: RUNS, seed: Number(process.env.TIDEMARK_LAW_SEED ?? 20_261_130), endOnFailure: true },
  );
  expect([...asked].filter(([, count]) => count === 0)).toEqual([]);
  expect(SEEN.filter((type) => !types.has(type))).toEqual([]);
});
