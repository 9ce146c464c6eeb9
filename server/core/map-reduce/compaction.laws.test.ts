import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { CompactionOutcome } from '@/server/core/compaction/step-job';
import { agent, breaks, other, says, sceneOf, textOfCall, whole } from '@/server/core/compaction/step-play';
import { aLog, type LogBuilder } from '@/server/core/projection/log-builder';
import { findUnpaired } from '@/server/core/projection/model-view-pairing';
import {
  type Call,
  isInner,
  NOTES,
  oblige,
  overflow,
  playSegments,
  recovers,
  segmentsJob,
  stageOf,
  windowed,
} from './play-segments';

/*
 * The whole compaction machine under random treatment: messages, tool calls, compactions by models that fail in every way
 * we know, stops, kills, restarts, reverts, undone summaries. Whatever happens, the laws at the end of each step hold.
 */

const third = { provider: 'near', model: 'c' };
const CHAINS = [[other], [agent], [other, third], [agent, other, third]];
const WINDOWS = [2_600, 3_000, 4_000, 9_000, 100_000, null];
const BUDGET = 16_000;

/** What a model may do to a request; `null`: what it was asked. */
const DEEDS: readonly ((call: Call) => CompactionOutcome | null)[] = [
  ...Array.from({ length: 14 }, () => () => null),
  () => breaks('network'),
  () => breaks('auth'),
  () => overflow(),
  () => breaks('context', { reportedWindowTokens: 3_000 }),
  () => says(' \n'),
  () => says('half a', { end: 'length', rawEnd: 'length', natural: false }),
  () => says('<tool_call>{"name":"x"}'),
  () => says('no headings at all, and it goes on like that for a while'),
  () => says(`${whole}\n${'x'.repeat(9_000)}`),
  (call) => (stageOf(call) === 'reduce' ? says('REREAD: 1-2') : null),
  (call) => (stageOf(call) === 'reduce' ? says('REREAD: 1-9999') : null),
  (call) => (stageOf(call) === 'audit' ? says('FAIL\n- item 2 is wrong') : null),
  (call) => (stageOf(call) === 'audit' ? says('It looks fine.') : null),
  (call) => (stageOf(call) === 'map' || isInner(call) ? says(`${NOTES}\n${'- more '.repeat(200)}`) : null),
  ({ call }) => ({ type: 'cancelled', call, reply: null, ms: 1 }),
];

const anyCompaction = fc.record({
  deeds: fc.array(fc.nat({ max: DEEDS.length - 1 }), { minLength: 1, maxLength: 12 }),
  chain: fc.nat({ max: CHAINS.length - 1 }),
  window: fc.nat({ max: WINDOWS.length - 1 }),
  order: fc.nat({ max: 3 }),
  isAutomatic: fc.boolean(),
  /** The server is killed after so many lines; null: it is not. */
  killAfter: fc.option(fc.integer({ min: 1, max: 25 }), { nil: null }),
});

type Real = { log: LogBuilder };
/** The laws speak of the log alone; what was done is told by the commands. */
type Model = Record<string, never>;
type Command = fc.Command<Model, Real>;

const always = () => true;

/** The laws, around anything that is done to a conversation. */
function keeping(name: string, act: (real: Real) => void): Command {
  return {
    check: always,
    run: (_model, real) => {
      const before = real.log.lines();
      act(real);
      const after = real.log.lines();
      // Bytes of the log only grow.
      expect(after.slice(0, before.length)).toEqual(before);
      expect(real.log.log().violations).toEqual([]);
      const { view, state } = sceneOf(real.log, BUDGET);
      // No call without its result, whatever is folded.
      expect(findUnpaired(view)).toEqual([]);
      // Coverage is contiguous from the first item and exact.
      const covers = state.checkpoint?.event.covers;
      if (covers === undefined) return;
      const through = state.items.find(({ id }) => id === covers.through);
      expect([state.items[0]?.id, through?.number]).toEqual([covers.from, covers.items]);
    },
    toString: () => name,
  };
}

function compacting(how: typeof anyCompaction extends fc.Arbitrary<infer T> ? T : never): Command {
  return keeping(`compact ${JSON.stringify(how)}`, ({ log }) => {
    const viewBefore = sceneOf(log, BUDGET).view.body;
    const itemsBefore = log.state().items;
    const chain = CHAINS[how.chain] ?? [other];
    const factsOf = windowed(WINDOWS[how.window] ?? null);
    let asked = 0;
    const respond = (call: Call) => {
      const deed = DEEDS[how.deeds[asked % how.deeds.length] ?? 0];
      asked += 1;
      return deed?.(call) ?? oblige(call);
    };
    const job = segmentsJob({ chain, factsOf, trigger: how.isAutomatic ? 'auto' : 'manual' });
    const { killAfter } = how;
    const played = playSegments(log, {
      job,
      respond,
      budgetBytes: BUDGET,
      pick: (open) => how.order % open.length,
      until: (_step, events) => killAfter !== null && events.length >= killAfter,
    });
    recovers(log);
    // The committed view changes only by a committed checkpoint.
    if (played.done?.outcome !== 'committed' && !played.events.some(({ type }) => type === 'checkpoint.committed'))
      expect(sceneOf(log, BUDGET).view.body).toEqual(viewBefore);
    expect(log.state().items).toEqual(itemsBefore);
    // Requests are bounded, and after an overflow none is sent again unchanged.
    expect(played.calls.length).toBeLessThanOrEqual(chain.length * (12 * itemsBefore.length + 60));
    const texts = played.calls.map((call) => `${call.model.provider} ${textOfCall(call)} ${call.request.form}`);
    const counts = new Map<string, number>();
    for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
    // Three transport tries of each content try, the second without the ceiling it ran into.
    for (const count of counts.values()) expect(count).toBeLessThanOrEqual(6);
  });
}

const anyCommand: readonly fc.Arbitrary<Command>[] = [
  fc.integer({ min: 1, max: 900 }).map((bytes) =>
    keeping(`say ${bytes}`, ({ log }) => {
      log.says(`question ${'q'.repeat(bytes)}`).replies(`answer ${'a'.repeat(bytes)}`);
    }),
  ),
  fc.integer({ min: 1, max: 1_500 }).map((bytes) =>
    keeping(`call ${bytes}`, ({ log }) => {
      log.says('look').batch([
        { name: 'read_file', result: 'r'.repeat(bytes) },
        { name: 'read_file', result: 's'.repeat(bytes) },
      ]);
      log.replies('seen');
    }),
  ),
  fc.nat().map((at) =>
    keeping(`revert ${at}`, ({ log }) => {
      const { items } = log.state();
      if (items.length > 0) log.reverts(1 + (at % items.length));
    }),
  ),
  fc.constant(
    keeping('undo', ({ log }) => {
      if (log.state().checkpoint !== null) log.undoesCheckpoint();
    }),
  ),
  anyCompaction.map(compacting),
  anyCompaction.map(compacting),
];

it('C8, C12, R4, L2: whatever happens to a conversation and its summarisers, the laws hold', {
  timeout: 120_000,
}, () => {
  fc.assert(
    fc.property(fc.commands([...anyCommand], { maxCommands: 14 }), (commands) => {
      const setup = () => {
        const log = aLog();
        for (let turn = 0; turn < 6; turn += 1) log.says(`start ${'x'.repeat(500)}`).replies('y'.repeat(500));
        return { model: {}, real: { log } };
      };
      fc.modelRun(setup, commands);
    }),
    { numRuns: 60 },
  );
});
