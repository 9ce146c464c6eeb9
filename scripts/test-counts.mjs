// What each runner's report amounts to. Pure, so that the sum can be trusted.

/**
 * `notRun`: tests whose means this machine does not have; they showed nothing and say why (`not run: …`).
 * @typedef {{ readonly passed: number, readonly failed: number, readonly skipped: number, readonly notRun?: number }} Counts
 */

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
 * @param {{ stats: { expected: number, unexpected: number, flaky: number, skipped: number }, suites?: readonly unknown[] } | null} report
 * @param {number} code
 * @returns {Counts}
 */
export function countPlaywright(report, code) {
  if (report === null) return { passed: 0, failed: 1, skipped: 0 };
  const { expected, unexpected, flaky, skipped } = report.stats;
  const notRun = specsOf(report).filter((spec) => spec.tests.some(isNotRun)).length;
  return atLeast({ passed: expected, failed: unexpected + flaky, skipped: skipped - notRun, notRun }, code);
}

/** All specs of a Playwright report. */
function specsOf(/** @type {{ suites?: readonly unknown[] } | null} */ report) {
  const walk = (/** @type {any} */ suite) => [...(suite.specs ?? []), ...(suite.suites ?? []).flatMap(walk)];
  return (report?.suites ?? []).flatMap(walk);
}

const isNotRun = (/** @type {any} */ test) =>
  (test.annotations ?? []).some(
    (/** @type {any} */ note) => note.type === 'skip' && /^not run: /.test(note.description),
  );

/** The first lines of a message without its colours: enough to know what fell. @param {string} message */
const firstLines = (message) =>
  message
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are control characters
    .replace(/\u001b\[[0-9;]*m/g, '')
    .split('\n')
    .slice(0, 12)
    .join('\n    ');

/**
 * What fell in a Vitest report, with where and why: repeated at the very end, since a long log is often cut at its start.
 * @param {{ testResults?: readonly { name: string, message?: string, assertionResults: readonly { status: string, fullName: string, failureMessages?: readonly string[] }[] }[] } | null} report
 * @returns {readonly string[]}
 */
export function fallenOfVitest(report) {
  return (report?.testResults ?? []).flatMap(({ name, message = '', assertionResults }) => {
    const fallen = assertionResults.filter(({ status }) => status === 'failed');
    if (fallen.length === 0) return message === '' ? [] : [`${name}\n    ${firstLines(message)}`];
    return fallen.map((one) => `${name} › ${one.fullName}\n    ${firstLines((one.failureMessages ?? []).join('\n'))}`);
  });
}

/**
 * What fell or was flaky in a Playwright report, likewise.
 * @param {{ suites?: readonly unknown[] } | null} report
 * @returns {readonly string[]}
 */
export function fallenOfPlaywright(report) {
  return specsOf(report)
    .filter((spec) => !spec.ok || isFlaky(spec))
    .map(tellSpec);
}

const isFlaky = (/** @type {any} */ spec) => spec.tests.some((/** @type {any} */ test) => test.status === 'flaky');

function tellSpec(/** @type {any} */ spec) {
  const errors = spec.tests
    .flatMap((/** @type {any} */ test) => test.results)
    .flatMap((/** @type {any} */ one) => one.errors ?? []);
  return `${spec.file} › ${spec.title}\n    ${firstLines(errors[0]?.message ?? '')}`;
}

/**
 * One line a runner, then the sum as the last.
 * @param {readonly (Counts & { readonly name: string, readonly seconds: number })[]} results
 */
export function sumUp(results) {
  const total = (/** @type {'passed' | 'failed'} */ key) => results.reduce((sum, result) => sum + result[key], 0);
  const lines = results.map(({ name, passed, failed, skipped, notRun = 0, seconds }) => {
    const more = `${skipped > 0 ? `, ${skipped} skipped` : ''}${notRun > 0 ? `, ${notRun} not run` : ''}`;
    return `${name.padEnd(11)} ${passed} passed, ${failed} failed${more} (${seconds.toFixed(1)} s)`;
  });
  return { lines: [...lines, `${total('passed')} passed, ${total('failed')} failed`], failed: total('failed') };
}
