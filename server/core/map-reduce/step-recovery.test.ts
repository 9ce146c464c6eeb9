import { describe, expect, it } from 'vitest';
import { startCompaction, stepCompaction } from '@/server/core/compaction/step';
import type { CompactionJob } from '@/server/core/compaction/step-job';
import { agent, breaks, other, says, sceneOf, textOfCall, whole } from '@/server/core/compaction/step-play';
import { COMPACTION_PHASES, type CompactionStep } from '@/server/core/compaction/step-shape';
import type { LogBuilder } from '@/server/core/projection/log-builder';
import {
  answering,
  type Call,
  countStages,
  eventsOf,
  longTalk,
  NOTES,
  oblige,
  overflow,
  type PlayOptions,
  playSegments,
  recovers,
  SMALL_WINDOW,
  segmentsJob,
  windowed,
} from './play-segments';
import { foldStaging } from './staging';
import { MAP_REDUCE_PHASES, type MapReducePhase } from './step-shape';

const fails = 'FAIL\n- the port is wrong (item 3)';

describe('cancelling (C11), in every state the machine has', () => {
  /** How each state is reached. A state that is missing here does not compile; one that is not reached fails. */
  const reach: Record<Exclude<MapReducePhase, 'over'>, PlayOptions['respond']> = {
    mapping: oblige,
    draining: answering({ map: (_call, nth) => (nth === 1 ? breaks('network') : null) }),
    waiting: answering({ reduce: () => breaks('network') }),
    reducing: oblige,
    rereading: answering({ reduce: (_call, nth) => (nth === 1 ? says('REREAD: 1-2') : null) }),
    auditing: oblige,
    correcting: answering({ audit: () => says(fails) }),
  };

  it.each(MAP_REDUCE_PHASES)('C11: while %s', (phase) => {
    const log = longTalk();
    const isThere = (step: CompactionStep) => step.state.segments?.phase === phase;
    if (phase === 'over') {
      const { step } = playSegments(log);
      expect(step.state.segments?.phase).toBe('over');
      const again = stepCompaction(step.state, { type: 'cancelled', reply: null, ms: 0 }, sceneOf(log));
      expect(again.commands).toEqual([]);
      return;
    }
    const { step } = playSegments(log, { respond: reach[phase] ?? oblige, until: isThere });
    expect(step.state.segments?.phase).toBe(phase);
    const underWay = step.state.segments?.inFlight.length ?? 0;
    const maps = foldStaging(log.state().compactions).maps;
    const stopped = stepCompaction(step.state, { type: 'cancelled', reply: null, ms: 5 }, sceneOf(log));
    const events = stopped.commands.flatMap((command) => (command.do === 'append' ? command.events : []));
    expect(eventsOf(events, 'compaction.attempt').map(({ outcome }) => outcome)).toEqual(
      Array.from({ length: underWay }, () => 'cancelled'),
    );
    expect(stopped.commands.at(-1)).toMatchObject({ do: 'done', outcome: 'cancelled' });
    expect(stopped.state.phase).toBe('done');
    for (const event of events) log.appends(event);
    expect(log.log().violations).toEqual([]);
    expect(log.state().checkpoint).toBeNull();
    // What was accepted is there for the next attempt, and whatever comes back late changes nothing.
    expect(foldStaging(log.state().compactions).maps).toEqual(maps);
    expect(stepCompaction(stopped.state, { type: 'waited' }, sceneOf(log)).commands).toEqual([]);
    const next = playSegments(log, { job: segmentsJob() });
    expect(next.done?.outcome).toBe('committed');
    expect(countStages(next.calls).map ?? 0).toBe((step.state.segments?.segments.length ?? 0) - maps.size);
  });

  it.each(COMPACTION_PHASES)('C11: a compaction that is %s', (phase) => {
    const log = longTalk();
    const job = segmentsJob(phase === 'segments' ? {} : { factsOf: windowed(100_000) });
    const respond = phase === 'waiting' ? () => breaks('network') : oblige;
    const { step } = playSegments(log, { job, respond, until: ({ state }) => state.phase === phase });
    expect(step.state.phase).toBe(phase);
    const stopped = stepCompaction(step.state, { type: 'cancelled', reply: null, ms: 5 }, sceneOf(log));
    expect(stopped.commands.at(-1)).toEqual(
      phase === 'done' ? undefined : expect.objectContaining({ outcome: 'cancelled' }),
    );
  });
});

describe('a killed server (R4, R5): the next attempt goes on from what was accepted', () => {
  /** Three rounds of audit and two levels would be the longest run; every staging line of it is a place to be killed at. */
  const eventful = () =>
    answering({
      map: (_call, nth) => (nth === 2 ? breaks('network') : nth === 5 ? overflow() : null),
      reduce: (_call, nth) => (nth === 1 ? says('REREAD: 1-2') : null),
      audit: (_call, nth) => (nth === 1 ? says(fails) : null),
    });

  it('R4: at every staged event; no accepted map is asked for twice, and the log stays valid', () => {
    const whole = playSegments(longTalk(), { respond: eventful() });
    expect(whole.done?.outcome).toBe('committed');
    const kills = whole.events.filter(({ type }) => type.startsWith('staging.')).length;
    expect(kills).toBeGreaterThan(8);
    for (let kill = 1; kill <= kills; kill += 1) {
      const log = longTalk();
      const staged = (events: readonly { readonly type: string }[]) =>
        events.filter(({ type }) => type.startsWith('staging.')).length >= kill;
      const first = playSegments(log, { respond: eventful(), dies: staged });
      expect(first.done).toBeNull();
      recovers(log);
      const accepted = new Set(eventsOf(first.events, 'staging.map').map(({ fingerprint }) => fingerprint));
      const second = playSegments(log);
      expect(second.done?.outcome, `killed at ${kill}`).toBe('committed');
      const again = eventsOf(second.events, 'staging.map').filter(({ fingerprint }) => accepted.has(fingerprint));
      expect(again).toEqual([]);
      if (eventsOf(first.events, 'staging.reduce').length > 0) expect(countStages(second.calls).reduce).toBeUndefined();
      if (eventsOf(first.events, 'staging.audit').at(-1)?.verdict === 'fail')
        expect(countStages(second.calls)).toEqual({ correction: 1, audit: 1 });
      // A pass that was not committed is held again: the checkpoint needs a request of its own attempt.
      if (eventsOf(first.events, 'staging.audit').at(-1)?.verdict === 'pass')
        expect(countStages(second.calls)).toEqual({ audit: 1 });
      expect(log.log().violations).toEqual([]);
    }
  });

  it('R4: what the machine holds is what its lines fold to', () => {
    const log = longTalk();
    playSegments(log, {
      respond: eventful(),
      until: ({ state }) => {
        if (state.phase === 'segments') expect(state.staging).toEqual(foldStaging(log.state().compactions));
        return false;
      },
    });
  });

  it('R10: used-up repartitions and corrections stay used up for the same models; another choice renews them', () => {
    const log = longTalk();
    const stubborn = answering({ audit: () => says(fails) });
    const first = playSegments(log, { respond: stubborn });
    expect(first.done).toMatchObject({ outcome: 'failed', reason: 'audit_failed' });
    const same = playSegments(log, { respond: oblige });
    expect(same.done).toMatchObject({ outcome: 'failed', reason: 'audit_failed' });
    expect(same.calls).toEqual([]);
    const switched = playSegments(log, { job: segmentsJob({ chain: [agent] }), respond: oblige });
    expect(switched.done?.outcome).toBe('committed');
    expect(countStages(switched.calls)).toEqual({ reduce: 1, audit: 1 });
  });

  it('R10: a broken connection or a stop is no stuck window: nothing of the budgets is used by it', () => {
    const log = longTalk();
    playSegments(log, { respond: answering({ audit: () => breaks('auth') }) });
    expect(foldStaging(log.state().compactions)).toMatchObject({ round: 0, audits: [] });
    expect(playSegments(log).done?.outcome).toBe('committed');
  });

  it('R4: a fork starts its own run', () => {
    const log = longTalk();
    playSegments(log, { until: (_step, events) => eventsOf(events, 'staging.map').length >= 3 });
    recovers(log).forks(36);
    expect(foldStaging(log.state().compactions).maps.size).toBe(0);
    const own = playSegments(log);
    expect(own.done?.outcome).toBe('committed');
    expect(countStages(own.calls).map).toBe(eventsOf(own.events, 'staging.planned')[0]?.segments.length);
  });

  it('R4: items that came since are packed behind the accepted maps; what the run had used up counts no more', () => {
    const log = longTalk();
    playSegments(log, { respond: answering({ audit: () => says(fails) }) });
    const before = foldStaging(log.state().compactions).maps;
    log.says(`more ${'m'.repeat(600)}`).replies('yes');
    const next = playSegments(log);
    expect(next.done?.outcome).toBe('committed');
    expect(countStages(next.calls)).toEqual({ map: 1, reduce: 1, audit: 1 });
    for (const print of before.keys()) expect(foldStaging(log.state().compactions).maps.has(print)).toBe(true);
  });

  it('X6: one accepted segment can be written anew; what was reduced from it is void', () => {
    const log = longTalk();
    playSegments(log, { respond: answering({ audit: () => breaks('auth') }) });
    const [rewrite = null] = foldStaging(log.state().compactions).maps.keys();
    const next = playSegments(log, {
      job: segmentsJob({ rewrite }),
      respond: answering({ map: () => says(`${NOTES}!`) }),
    });
    expect(next.done?.outcome).toBe('committed');
    expect(countStages(next.calls)).toEqual({ map: 1, reduce: 1, audit: 1 });
    expect(eventsOf(next.events, 'staging.map')).toMatchObject([{ fingerprint: rewrite, text: `${NOTES}!` }]);
  });
});

describe('a source that changed under the same ids (R4)', () => {
  const old = 'a'.repeat(64);

  function failsThenChanges(change: (log: LogBuilder) => Partial<CompactionJob>) {
    const observed = [{ path: 'src/a.ts', sha256: old, how: 'read' as const }];
    const log = longTalk(14).says('read it').calls('read_file', {}, 'x'.repeat(900), { observed }).replies('Read.');
    playSegments(log, { respond: answering({ reduce: () => breaks('auth') }) });
    const before = foldStaging(log.state().compactions).maps;
    const next = playSegments(log, { job: segmentsJob(change(log)) });
    return { log, before, next };
  }

  function masked(log: LogBuilder): Partial<CompactionJob> {
    log.masks();
    return {};
  }

  it.each([
    ['a mask', masked],
    ['a stale mark', () => ({ disk: new Map([['src/a.ts', null]]) })],
  ])('R4: %s makes another source: that map is voided by a line, the others stay', (_name, change) => {
    const { before, next, log } = failsThenChanges(change);
    expect(next.done?.outcome).toBe('committed');
    const [voided] = eventsOf(next.events, 'staging.invalidated');
    expect(voided).toMatchObject({ version: 3, reason: 'source_changed' });
    expect(voided?.fingerprints).toHaveLength(1);
    expect(before.has(voided?.fingerprints?.[0] ?? '')).toBe(true);
    expect(countStages(next.calls).map).toBe(1);
    expect(log.log().violations).toEqual([]);
  });

  it('R4: so does another cap of the same result', () => {
    const story = (cap: { headBytes: number; tailBytes: number } | null) =>
      longTalk(14).says('read it').calls('read_file', {}, 'x'.repeat(900), { cap }).replies('Read.');
    const log = story(null);
    playSegments(log, { respond: answering({ reduce: () => breaks('auth') }) });
    const scene = sceneOf(story({ headBytes: 200, tailBytes: 100 }), 60_000);
    const state = { ...scene.state, compactions: log.state().compactions };
    const { commands } = startCompaction(segmentsJob(), { ...scene, state });
    const events = commands.flatMap((command) => (command.do === 'append' ? command.events : []));
    expect(eventsOf(events, 'staging.invalidated')).toMatchObject([{ reason: 'source_changed' }]);
    expect(commands.filter((command) => command.do === 'call')).toHaveLength(1);
  });

  it('R4: notes made for a large window that a small one could not even reduce are voided as unfit', () => {
    const log = longTalk();
    const respond = answering({
      map: () => says(`${NOTES}\n${'- long '.repeat(800)}`),
      reduce: () => breaks('auth'),
    });
    const large = segmentsJob({ factsOf: windowed(10_000) });
    const first = playSegments(log, { job: large, respond });
    expect(first.done?.outcome).toBe('failed');
    const small = playSegments(log, { job: segmentsJob({ chain: [agent], factsOf: windowed(SMALL_WINDOW) }) });
    expect(eventsOf(small.events, 'staging.invalidated')).toMatchObject([{ version: 3, reason: 'unfit' }]);
    expect(small.done?.outcome).toBe('committed');
  });
});

describe('a switch of models in mid-run (R10, S5)', () => {
  it('S2: the next model of the chain takes over with one request where its window takes it all', () => {
    const factsOf = ({ model }: { model: string }) => windowed(model === other.model ? 100_000 : SMALL_WINDOW)(agent);
    const job = segmentsJob({ chain: [agent, other], factsOf });
    const respond = (call: Call) =>
      call.model.model === other.model ? says(whole) : call.call > 2 ? breaks('auth') : oblige(call);
    const { calls, done, events } = playSegments(longTalk(), { job, respond });
    expect(done?.outcome).toBe('committed');
    expect(textOfCall(calls.at(-1))).toMatch(/^TASK summary 1/);
    expect(eventsOf(events, 'checkpoint.committed')[0]).toMatchObject({ method: 'one_shot', model: other });
  });

  it('R7, R12: a smaller window that a provider reports sizes requests from then on', () => {
    let windowTokens = 8_000;
    const factsOf = () => windowed(windowTokens)(agent);
    const respond = answering({
      map: (_call, nth) => {
        if (nth > 1) return null;
        windowTokens = 3_000;
        return breaks('context', { reportedWindowTokens: 3_000 });
      },
    });
    const { calls, done, events } = playSegments(longTalk(), { job: segmentsJob({ factsOf }), respond });
    expect(done?.outcome).toBe('committed');
    const plans = eventsOf(events, 'staging.planned');
    expect(plans.map((plan) => [plan.round ?? 0, plan.windowTokens])).toEqual([
      [0, 8_000],
      [1, 3_000],
    ]);
    for (const call of calls.slice(-5)) expect(call.request.measureBytes).toBeLessThanOrEqual(5_700);
  });
});
