import { describe, expect, it } from 'vitest';
import { BARS } from './bars';
import { PLANS } from './plans';
import { judge, printTable, type Result } from './report';

const replay = (ms: number): Result => ({
  bench: 'replay',
  size: 10_000,
  medians: { replay: { ms, peakMb: 100 }, 'replay-floor': { ms: 100, peakMb: 100 } },
});
const jobs = (oursMs: number, fullP99: number): Result => ({
  bench: 'jobs',
  size: 200,
  medians: { jobs: { floorMs: 1, oursMs, emptyP50: 1, fullP99 } },
});
const verdicts = (results: readonly Result[], mode: 'quick' | 'full') =>
  judge(results, mode).map(({ id, holds, fails }) => [id, holds, fails]);

describe('the verdict of a benchmark', () => {
  it('a bar holds at its limit; beyond it and its slack a run fails', () => {
    expect(verdicts([jobs(1, 3)], 'full')).toEqual([
      ['perf-F3', true, false],
      ['perf-F3', true, false],
    ]);
    expect(verdicts([jobs(2, 10)], 'full')).toEqual([
      ['perf-F3', false, false],
      ['perf-F3', false, true],
    ]);
    expect(verdicts([jobs(10, 1)], 'full')[0]).toEqual(['perf-F3', false, true]);
  });

  it('a quick run judges ratios alone, with more slack', () => {
    expect(verdicts([jobs(4, 1000)], 'quick')).toEqual([
      ['perf-F3', false, false],
      ['perf-F3', false, false],
    ]);
    expect(verdicts([jobs(5, 1)], 'quick')[0]).toEqual(['perf-F3', false, true]);
  });

  it('a bar that is owed fails only where it gets worse', () => {
    const owed = BARS.replay?.[0]?.owed ?? Number.NaN;
    expect(verdicts([replay(owed * 100)], 'full')[0]).toEqual(['perf-A1', false, false]);
    expect(verdicts([replay(owed * 200)], 'full')[0]).toEqual(['perf-A1', false, true]);
  });

  it('what was not measured holds nothing and fails', () => {
    expect(verdicts([{ bench: 'jobs', size: 1, medians: {} }], 'full')[0]).toEqual(['perf-F3', false, true]);
  });

  it('every benchmark has its bars, and every row says what it is about', () => {
    expect(PLANS.map(({ bench }) => bench).sort()).toEqual(Object.keys(BARS).sort());
    expect(printTable(judge([jobs(1, 3)], 'full'))[2]).toBe(
      '| perf-F3 | jobs a second / three raw transactions | 200 | 1 × | ≥ 0.7 × | holds |',
    );
  });
});
