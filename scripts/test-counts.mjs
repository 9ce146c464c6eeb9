// What each runner's report amounts to. Pure, so that the sum can be trusted.

/** @typedef {{ readonly passed: number, readonly failed: number, readonly skipped: number }} Counts */

/** A check that only says yes or no. @param {number} code @returns {Counts} */
export const countCheck = (code) => ({ passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: 0 });

/** A runner that failed without a failed test (a file that did not load, no report at all) still failed once. */
const atLeast = (/** @type {Counts} */ counts, /** @type {number} */ code) =>
  code !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts;

/**
 * @param {{ numPassedTests: number, numFailedTests: number, numPendingTests: number, numTodoTests?: number } | null} report
 * @param {number} code
 * @returns {Counts}
 */
export function countVitest(report, code) {
  if (report === null) return { passed: 0, failed: 1, skipped: 0 };
  const { numPassedTests: passed, numFailedTests: failed, numPendingTests, numTodoTests = 0 } = report;
  return atLeast({ passed, failed, skipped: numPendingTests + numTodoTests }, code);
}

/**
 * A flaky test failed first: it counts as failed, since nothing here may depend on luck.
 * @param {{ stats: { expected: number, unexpected: number, flaky: number, skipped: number } } | null} report
 * @param {number} code
 * @returns {Counts}
 */
export function countPlaywright(report, code) {
  if (report === null) return { passed: 0, failed: 1, skipped: 0 };
  const { expected, unexpected, flaky, skipped } = report.stats;
  return atLeast({ passed: expected, failed: unexpected + flaky, skipped }, code);
}

/**
 * One line a runner, then the sum as the last.
 * @param {readonly (Counts & { readonly name: string, readonly seconds: number })[]} results
 */
export function sumUp(results) {
  const total = (/** @type {'passed' | 'failed'} */ key) => results.reduce((sum, result) => sum + result[key], 0);
  const lines = results.map(({ name, passed, failed, skipped, seconds }) => {
    const more = skipped > 0 ? `, ${skipped} skipped` : '';
    return `${name.padEnd(11)} ${passed} passed, ${failed} failed${more} (${seconds.toFixed(1)} s)`;
  });
  return { lines: [...lines, `${total('passed')} passed, ${total('failed')} failed`], failed: total('failed') };
}
