import { describe, expect, it } from 'vitest';
import { countCheck, countPlaywright, countVitest, fallenOfPlaywright, fallenOfVitest, sumUp } from './test-counts.mjs';

describe('the sum of all runners', () => {
  it('adds up, and its last line is the sum', () => {
    const { lines, failed } = sumUp([
      { name: 'types', ...countCheck(0), seconds: 1 },
      { name: 'vitest', ...countVitest({ numPassedTests: 7, numFailedTests: 1, numPendingTests: 2 }, 1), seconds: 2 },
      {
        name: 'playwright',
        ...countPlaywright({ stats: { expected: 3, unexpected: 0, flaky: 0, skipped: 0 } }, 0),
        seconds: 3,
      },
    ]);
    expect(lines.at(-1)).toBe('11 passed, 1 failed');
    expect(lines[1]).toContain('7 passed, 1 failed, 2 skipped');
    expect(failed).toBe(1);
  });

  it('a runner that died, wrote no report or loaded no file never counts as green', () => {
    expect(countVitest(null, 0).failed).toBe(1);
    expect(countVitest({ numPassedTests: 7, numFailedTests: 0, numPendingTests: 0 }, 1).failed).toBe(1);
    expect(countPlaywright(null, 0).failed).toBe(1);
    expect(countPlaywright({ stats: { expected: 3, unexpected: 0, flaky: 0, skipped: 0 } }, 1).failed).toBe(1);
    expect(countCheck(2)).toEqual({ passed: 0, failed: 1, skipped: 0 });
  });

  it('a flaky test counts as failed', () => {
    expect(countPlaywright({ stats: { expected: 3, unexpected: 0, flaky: 1, skipped: 0 } }, 0).failed).toBe(1);
  });

  it('a test whose means are missing is counted apart, as not run', () => {
    const skipped = (description: string) => ({ ok: true, tests: [{ annotations: [{ type: 'skip', description }] }] });
    const suites = [{ specs: [skipped('not run: mounting needs root'), skipped('later')] }];
    const counts = countPlaywright({ stats: { expected: 3, unexpected: 0, flaky: 0, skipped: 2 }, suites }, 0);
    expect(counts).toEqual({ passed: 3, failed: 0, skipped: 1, notRun: 1 });
    const { lines } = sumUp([{ name: 'faults', ...counts, seconds: 1 }]);
    expect(lines).toEqual([expect.stringContaining('3 passed, 0 failed, 1 skipped, 1 not run'), '3 passed, 0 failed']);
  });

  it('names what fell, with its first lines', () => {
    const report = {
      testResults: [
        {
          name: 'a.test.ts',
          assertionResults: [
            { status: 'passed', fullName: 'holds' },
            { status: 'failed', fullName: 'falls', failureMessages: ['\u001b[31mexpected 1\u001b[39m\nto be 2'] },
          ],
        },
        { name: 'b.test.ts', message: 'it does not load', assertionResults: [] },
      ],
    };
    expect(fallenOfVitest(report)).toEqual([
      'a.test.ts › falls\n    expected 1\n    to be 2',
      'b.test.ts\n    it does not load',
    ]);
  });

  it('names what fell in the browser, flaky ones too', () => {
    const spec = (title: string, status: string) => ({
      title,
      file: 'a.spec.ts',
      ok: status !== 'unexpected',
      tests: [{ status, results: [{ errors: [{ message: 'too late' }] }] }],
    });
    const specs = [spec('holds', 'expected'), spec('falls', 'unexpected'), spec('wavers', 'flaky')];
    expect(fallenOfPlaywright({ suites: [{ suites: [{ specs }] }] })).toEqual([
      'a.spec.ts › falls\n    too late',
      'a.spec.ts › wavers\n    too late',
    ]);
  });
});
