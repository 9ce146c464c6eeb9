import { describe, expect, it } from 'vitest';
import { breaks, says, textOfCall, whole } from '@/server/core/compaction/step-play';
import {
  fitsOwnOutput,
  LEAST_OUTPUT_TOKENS,
  MOST_AUDIT_TRIES,
  MOST_CORRECTIONS,
  MOST_LEVELS,
  MOST_MAPS_AT_ONCE,
  MOST_OUTPUT_TOKENS,
  MOST_REPARTITIONS,
  MOST_REREAD_RANGES,
  MOST_REREADS,
  packingTargetBytes,
  reservedLimitBytes,
  reserveTokens,
  toSizingWindow,
} from './bounds';
import { findReduction } from './levels';
import {
  answering,
  type Call,
  countStages,
  eventsOf,
  longTalk,
  NOTES,
  oblige,
  overflow,
  playSegments,
  segmentsJob,
  stageOf,
  windowed,
} from './play-segments';
import type { Notes } from './requests';
import { parseReread } from './reread';

const fails = says('FAIL\n- the port is wrong (item 3)');
const agentFacts = (tokens: number | null) => windowed(tokens)({ provider: 'far', model: 'big-2' });

describe('every bound of R6–R11, at it and one beyond', () => {
  it('contract 13: the numbers themselves', () => {
    const counts = [MOST_MAPS_AT_ONCE, MOST_REPARTITIONS, MOST_REREAD_RANGES, MOST_REREADS, MOST_LEVELS];
    expect([...counts, MOST_CORRECTIONS, MOST_AUDIT_TRIES]).toEqual([4, 3, 3, 1, 8, 2, 2]);
    expect([LEAST_OUTPUT_TOKENS, MOST_OUTPUT_TOKENS]).toEqual([64, 2_000]);
  });

  it('R11: the reserve is a tenth of the window, never under 64 nor over 2,000 tokens', () => {
    expect([639, 640, 650, 19_999, 20_000, 20_010, 1_000_000].map(reserveTokens)).toEqual([
      LEAST_OUTPUT_TOKENS,
      64,
      65,
      1_999,
      MOST_OUTPUT_TOKENS,
      2_000,
      2_000,
    ]);
  });

  it('R2, R3: half of the window is packed; requests keep the reserve free, to the byte', () => {
    const window = toSizingWindow(agentFacts(8_000), 400_000);
    expect(packingTargetBytes(window)).toBe(8_000);
    expect(reservedLimitBytes(window)).toBe((8_000 - 800) * 2);
    expect(fitsOwnOutput(15_200, agentFacts(8_000), window)).toBe(true);
    expect(fitsOwnOutput(15_201, agentFacts(8_000), window)).toBe(false);
    const own = { ...agentFacts(8_000), ceilingTokens: () => 3_000 };
    expect(fitsOwnOutput(10_000, own, window)).toBe(true);
    expect(fitsOwnOutput(10_001, own, window)).toBe(false);
  });

  it('R0: where no window is known, the agent budget stands in for it, and it is said to be assumed', () => {
    expect(toSizingWindow(agentFacts(null), 60_000)).toEqual({ tokens: 30_000, bytesPerToken: 2, assumed: true });
    expect(toSizingWindow(agentFacts(9_000), 60_000)).toMatchObject({ tokens: 9_000, assumed: false });
  });

  it(`R6: ${MOST_MAPS_AT_ONCE} maps at once and not one more, though more are waiting`, () => {
    const { mostOpen, calls } = playSegments(longTalk());
    expect(countStages(calls).map).toBeGreaterThan(MOST_MAPS_AT_ONCE);
    expect(mostOpen).toBe(MOST_MAPS_AT_ONCE);
  });

  it(`R7: ${MOST_REPARTITIONS} repartitions, each with half of the target, no fourth one`, () => {
    const overflows = (most: number) => {
      let made = 0;
      let after = 0;
      return answering({
        map: (call) => {
          // One of each round of packing: those under way with it are the three next calls.
          if (made >= most || call.call <= after) return null;
          made += 1;
          after = call.call + MOST_MAPS_AT_ONCE - 1;
          return overflow();
        },
      });
    };
    const log = longTalk(40);
    const job = () => segmentsJob({ factsOf: windowed(12_000) });
    const at = playSegments(log, { job: job(), respond: overflows(MOST_REPARTITIONS) });
    expect(at.done?.outcome).toBe('committed');
    const plans = eventsOf(at.events, 'staging.planned');
    expect(plans.map(({ round }) => round)).toEqual([0, 1, 2, 3]);
    const targets = plans.map(({ targetBytes }) => targetBytes ?? 0);
    for (const [index, target] of targets.slice(1).entries())
      expect(target).toBeLessThanOrEqual((targets[index] ?? 0) / 2);
    const beyond = playSegments(longTalk(40), { job: job(), respond: overflows(MOST_REPARTITIONS + 1) });
    expect(beyond.done).toMatchObject({ outcome: 'failed', reason: 'repartitions_spent' });
  });

  it('R7: accepted maps are never asked for again, and no request twice, whatever overflows', () => {
    const respond = answering({ map: (_call, nth) => (nth === 3 || nth === 9 ? overflow() : null) });
    const { calls, events, done } = playSegments(longTalk(40), {
      job: segmentsJob({ factsOf: windowed(8_000) }),
      respond,
    });
    expect(done?.outcome).toBe('committed');
    const prints = eventsOf(events, 'staging.map').map(({ fingerprint }) => fingerprint);
    expect(new Set(prints).size).toBe(prints.length);
    const texts = calls.map(textOfCall);
    expect(new Set(texts).size).toBe(texts.length);
  });

  it('R7: where no boundary is left the item is named, and nothing is cut', () => {
    const respond = answering({ map: (call) => (textOfCall(call).includes('<item n="7"') ? overflow() : null) });
    const { done, events, calls } = playSegments(longTalk(), { respond });
    expect(done).toMatchObject({ outcome: 'failed', reason: 'item_too_large:7' });
    const last = calls.filter((call) => textOfCall(call).includes('<item n="7"')).at(-1);
    expect(textOfCall(last).match(/<item n=/g)).toHaveLength(1);
    expect(eventsOf(events, 'staging.planned').length).toBeLessThanOrEqual(1 + MOST_REPARTITIONS);
  });

  it('R3, case-A15: an item that no request takes is named before anything is paid for', () => {
    const log = longTalk()
      .says(`REQ-START ${'r'.repeat(9_000)}`)
      .replies('ok');
    const { done, calls, events } = playSegments(log);
    expect(done).toMatchObject({ outcome: 'failed', reason: 'item_too_large:37' });
    expect(calls).toEqual([]);
    expect(eventsOf(events, 'compaction.attempt')).toEqual([]);
  });

  it('R7: an overflow of a reduction or an audit makes later requests smaller, as often as maps may be packed anew', () => {
    const once = answering({ reduce: (_call, nth) => (nth === 1 ? overflow() : null) });
    const long = () => longTalk(40);
    const wide = answering({
      map: () => says(`- "${'n'.repeat(900)}" (item 3)`),
      audit: (_call, nth) => (nth === 1 ? overflow() : null),
    });
    for (const respond of [once, wide]) {
      const { done, calls } = playSegments(long(), { job: segmentsJob({ factsOf: windowed(8_000) }), respond });
      expect(['committed', 'failed']).toContain(done?.outcome);
      const texts = calls.map(textOfCall);
      expect(new Set(texts).size).toBe(texts.length);
    }
    const always = playSegments(long(), { respond: answering({ reduce: overflow }) });
    expect(always.done?.outcome).toBe('failed');
    expect(countStages(always.calls).reduce).toBeLessThanOrEqual(1 + MOST_REPARTITIONS);
  });

  it(`R8: up to ${MOST_REREAD_RANGES} ranges, not one more; one item is a range too`, () => {
    expect(parseReread('REREAD: 57-57', 60)).toEqual({ kind: 'ranges', ranges: [{ from: 57, through: 57 }] });
    expect(parseReread(' REREAD:1-2 , 4-5,7-9\n', 9)).toMatchObject({
      kind: 'ranges',
      ranges: [{ from: 1 }, {}, { through: 9 }],
    });
    expect(parseReread('REREAD: 1-2, 3-4, 5-6, 7-8', 9)).toEqual({ kind: 'reread_malformed' });
    for (const text of ['REREAD:', 'REREAD: 5', 'REREAD: 1-2 please', 'REREAD: 1-2\n## Objective', 'REREAD: one-two'])
      expect(parseReread(text, 9)).toEqual({ kind: 'reread_malformed' });
    for (const text of ['REREAD: 9-10', 'REREAD: 5-4', 'REREAD: 0-1'])
      expect(parseReread(text, 9)).toEqual({ kind: 'reread_unavailable' });
    for (const text of ['## Objective\nREREAD: 1-2', 'reread: 1-2', ''])
      expect(parseReread(text, 9)).toEqual({ kind: 'none' });
  });

  it('R8: one reread a reduction, a second one ends the run', () => {
    const times = (most: number) =>
      answering({ reduce: (_call, nth) => (nth <= most ? says('REREAD: 2-3, 5-5') : null) });
    const one = playSegments(longTalk(), { respond: times(1) });
    expect(one.done?.outcome).toBe('committed');
    expect(eventsOf(one.events, 'staging.reduce')[0]?.rereads).toEqual([
      { from: 2, through: 3 },
      { from: 5, through: 5 },
    ]);
    const text = textOfCall(one.calls.findLast((call) => textOfCall(call).startsWith('TASK reduce')));
    expect(text).toMatch(/<reread from="2" through="3">\n<item n="2"[\s\S]*<item n="3"[\s\S]*<\/reread>/);
    expect(text).toContain('<reread from="5" through="5">');
    const two = playSegments(longTalk(), { respond: times(2) });
    expect(two.done).toMatchObject({ outcome: 'failed', reason: 'reread_unavailable' });
  });

  it('R8: malformed, unavailable and oversized rereads end the run by name, maps stay, no model is tried instead', () => {
    const cases = [
      ['REREAD: all', 'reread_malformed'],
      ['REREAD: 1-900', 'reread_unavailable'],
      ['REREAD: 1-36', 'reread_oversized'],
    ] as const;
    for (const [wish, reason] of cases) {
      const job = segmentsJob({
        chain: [
          { provider: 'far', model: 'a' },
          { provider: 'far', model: 'b' },
        ],
      });
      const { done, calls, events } = playSegments(longTalk(), {
        job,
        respond: answering({ reduce: () => says(wish) }),
      });
      expect(done).toMatchObject({ outcome: 'failed', reason });
      expect(countStages(calls).reduce).toBe(1);
      expect(eventsOf(events, 'staging.map').length).toBeGreaterThan(4);
    }
  });

  it('R8: what an older checkpoint covers can be read again, item by item', () => {
    const log = longTalk(18, longTalk(3).compacts());
    const { done, calls } = playSegments(log, {
      respond: answering({ reduce: (_call, nth) => (nth === 1 ? says('REREAD: 1-2') : null) }),
    });
    expect(done?.outcome).toBe('committed');
    expect(
      calls.some((call) => textOfCall(call).includes('question 1 qqq') && textOfCall(call).startsWith('TASK map')),
    ).toBe(true);
    const again = textOfCall(calls.findLast((call) => textOfCall(call).startsWith('TASK reduce')));
    expect(again).toContain('<reread from="1" through="2">\n<item n="1" role="user">');
  });

  it(`R9: ${MOST_LEVELS} levels of reduction, the last one included, not a ninth`, () => {
    const notes = (count: number): Notes[] =>
      Array.from({ length: count }, (_, at) => ({ fingerprint: `f${at}`, text: 'x', from: at + 1, through: at + 1 }));
    /** Two notes at a time: n levels take 2 ** n maps. */
    const levels = (count: number) => {
      const reductions = new Map();
      let deepest = 0;
      for (;;) {
        const fits = (group: readonly Notes[]) => group.length <= 2;
        const next = findReduction(notes(count), reductions, { final: fits, inner: fits });
        if (next.kind === 'failed' || next.kind === 'done') return { kind: next.kind, deepest };
        deepest = Math.max(deepest, next.level);
        reductions.set(next.key, { fingerprint: next.key, level: next.level, text: 'x' });
      }
    };
    expect(levels(2 ** MOST_LEVELS)).toEqual({ kind: 'done', deepest: MOST_LEVELS });
    expect(levels(2 ** MOST_LEVELS + 1)).toEqual({ kind: 'failed', deepest: MOST_LEVELS - 1 });
  });

  it(`R9: ${MOST_CORRECTIONS} corrections, each audited again; a third is not asked for`, () => {
    const refused = (most: number) => answering({ audit: (_call, nth) => (nth <= most ? fails : null) });
    const at = playSegments(longTalk(), { respond: refused(MOST_CORRECTIONS) });
    expect(at.done?.outcome).toBe('committed');
    expect(countStages(at.calls)).toMatchObject({ audit: 3, correction: 2 });
    expect(eventsOf(at.events, 'staging.audit').map(({ round, verdict }) => [round, verdict])).toEqual([
      [0, 'fail'],
      [1, 'fail'],
      [2, 'pass'],
    ]);
    const beyond = playSegments(longTalk(), { respond: refused(MOST_CORRECTIONS + 1) });
    expect(beyond.done).toMatchObject({ outcome: 'failed', reason: 'audit_failed' });
    expect(countStages(beyond.calls)).toMatchObject({ audit: 3, correction: 2 });
  });

  it(`contract 13: an answer that is no verdict is asked for once more (${MOST_AUDIT_TRIES} tries), then the model is left`, () => {
    const mumbles = (most: number) =>
      answering({ audit: (_call, nth) => (nth <= most ? says('Looks fine to me.') : null) });
    const at = playSegments(longTalk(), { respond: mumbles(MOST_AUDIT_TRIES - 1) });
    expect(at.done?.outcome).toBe('committed');
    const beyond = playSegments(longTalk(), { respond: mumbles(MOST_AUDIT_TRIES) });
    expect(beyond.done).toMatchObject({ outcome: 'rejected', reason: 'audit_unreadable' });
  });

  it('R9: a correction that fails the table is written once more, then the model is left', () => {
    const respond = answering({
      audit: () => fails,
      correction: () => says('no headings at all, and never any of them'),
    });
    const { done, calls } = playSegments(longTalk(), { respond });
    expect(done?.outcome).toBe('rejected');
    expect(done?.reason).toMatch(/^sections:/);
    expect(countStages(calls).correction).toBe(2);
  });

  it('R9: the auditor sees all notes, in batches that fit beside the candidate, each of which must pass', () => {
    const respond = answering({
      map: () => says(`- "${'n'.repeat(1_100)}" (item 3)`),
      reduce: (call) => (textOfCall(call).includes('Write the notes that') ? null : says(whole)),
      audit: (_call, nth) => (nth === 2 ? fails : null),
    });
    const { calls, events, done } = playSegments(longTalk(30), { respond });
    expect(done?.outcome).toBe('committed');
    const audits = calls.map(textOfCall).filter((text) => text.startsWith('TASK audit'));
    const before = audits.slice(0, audits.length / 2);
    expect(before.length).toBeGreaterThan(1);
    const shown = before.flatMap((text) => [...text.matchAll(/<notes items="(\d+)-(\d+)">/g)].map(([, from]) => from));
    const planned = eventsOf(events, 'staging.planned')[0]?.segments.length;
    expect([shown.length, new Set(shown).size]).toEqual([planned, planned]);
    expect(before[0]).toContain('You see only the notes on items');
    expect(eventsOf(events, 'staging.audit')[0]).toMatchObject({
      verdict: 'fail',
      findings: ['the port is wrong (item 3)'],
    });
  });

  it('R9, S5: a ratio or window learnt in mid-run changes what is asked next, never what an answer is taken for', () => {
    let ratio = 2;
    const factsOf = () => ({ windowTokens: 4_000, bytesPerToken: ratio, ceilingTokens: () => null, prices: null });
    const respond = (call: Call) => {
      // Learnt from the very answer it comes with, as usages are: now larger, now smaller.
      ratio = ratio === 2 ? 2.6 : 2;
      const stage = stageOf(call);
      if (stage === 'map') return says(`- "${'n'.repeat(900)}" (item 3)`);
      return stage === 'audit' ? says('PASS') : oblige(call);
    };
    const { calls, events, done } = playSegments(longTalk(30), { job: segmentsJob({ factsOf }), respond });
    expect(done?.outcome).toBe('committed');
    const reduced = eventsOf(events, 'staging.reduce').map(({ text }) => text);
    expect(reduced.length).toBeGreaterThan(1);
    expect(reduced).toEqual([...reduced.slice(1).map(() => NOTES), whole]);
    const audits = calls.map(textOfCall).filter((text) => text.startsWith('TASK audit'));
    const shown = audits.flatMap((text) => [...text.matchAll(/<notes items="(\d+)-/g)].map(([, from]) => Number(from)));
    const planned = eventsOf(events, 'staging.planned').at(-1)?.segments.length;
    expect(audits.length).toBeGreaterThan(1);
    expect([shown.length, new Set(shown).size]).toEqual([planned, planned]);
  });

  it('R3: every request of every stage fits the window with what it keeps free', () => {
    const respond = answering({
      map: () => says(`- "${'n'.repeat(700)}" (item 3)`),
      audit: (_call, nth) => (nth === 1 ? fails : null),
    });
    const { calls, done } = playSegments(longTalk(60), { respond });
    expect(done?.outcome).toBe('committed');
    for (const call of calls) {
      const kept = call.ceilingTokens ?? 200;
      expect(Math.ceil(call.request.measureBytes / 2) + kept).toBeLessThanOrEqual(4_000);
    }
  });

  it('R11, D07: a model that must be sent a ceiling keeps it free in the last reduction; none is borrowed', () => {
    const facts = { windowTokens: 4_000, bytesPerToken: 2, ceilingTokens: () => 1_500, prices: null };
    const { calls, done } = playSegments(longTalk(), { job: segmentsJob({ factsOf: () => facts }) });
    expect(done?.outcome).toBe('committed');
    const last = calls.find((call) => textOfCall(call).startsWith('TASK reduce') && call.ceilingTokens === null);
    expect(Math.ceil((last?.request.measureBytes ?? 0) / 2) + 1_500).toBeLessThanOrEqual(4_000);
  });

  it('case-A14: whatever a provider refuses, no two requests in a row are equal and their number is bounded', () => {
    const { calls, done } = playSegments(longTalk(), { respond: () => breaks('context') });
    expect(done?.outcome).toBe('failed');
    const texts = calls.map(textOfCall);
    expect(new Set(texts).size).toBe(texts.length);
    expect(calls.length).toBeLessThanOrEqual(MOST_MAPS_AT_ONCE * (1 + MOST_REPARTITIONS));
  });
});
