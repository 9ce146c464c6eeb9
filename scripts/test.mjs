// `npm test`: installs what is missing, then types, lint, unit and contract suites, build, browser suite, faults. Every runner
// runs, whatever the one before said; the last line is the sum.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isBuilt } from './freshness.mjs';
import { ensureBuilt, ensureInstalled, judgeNode } from './prepare.mjs';
import { countCheck, countPlaywright, countVitest, fallenOfPlaywright, fallenOfVitest, sumUp } from './test-counts.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const reports = mkdtempSync(join(tmpdir(), 'tidemark-test-'));

/** Runs a package's own script with this Node, its output passed through; gives the exit code. */
const runNode = (args, env = {}) =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, args, {
      cwd: ROOT,
      env: { ...process.env, NEXT_TELEMETRY_DISABLED: '1', ...env },
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    child.on('error', () => resolve(1));
    child.on('close', (code) => resolve(code ?? 1));
  });

const readReport = (path) => (existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : null);

async function checkTypes() {
  // The types of routes are generated; a fresh clone has none yet.
  await runNode(['node_modules/next/dist/bin/next', 'typegen']);
  return countCheck(await runNode(['node_modules/typescript/bin/tsc', '--noEmit']));
}

const checkLint = async () => countCheck(await runNode(['node_modules/@biomejs/biome/bin/biome', 'check', '.']));

async function runVitest() {
  const path = join(reports, 'vitest.json');
  const args = [
    'node_modules/vitest/vitest.mjs',
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${path}`,
  ];
  const code = await runNode(args);
  const report = readReport(path);
  return { ...countVitest(report, code), fallen: fallenOfVitest(report) };
}

async function checkBuild() {
  try {
    await ensureBuilt(ROOT);
    return countCheck(0);
  } catch (error) {
    process.stdout.write(`${error.message}\n`);
    return countCheck(1);
  }
}

/** On other systems than Linux, Playwright may fetch its own browser; on Linux one is found or ships with npm. */
async function ensureBrowser() {
  const { browserPath } = await import('./browser-path.mjs');
  try {
    await browserPath();
  } catch {
    await runNode(['node_modules/@playwright/test/cli.js', 'install', 'chromium']);
  }
}

/** One project of playwright.config.ts: what is tested in the browser, or with faults of disks, clocks and clients. */
async function runPlaywright(project) {
  if (!isBuilt(ROOT)) {
    process.stdout.write('Not run: there is no build to look at.\n');
    return countCheck(1);
  }
  await ensureBrowser();
  const path = join(reports, `${project}.json`);
  // Faults are mostly waited for: two files of them at a time take half as long.
  const workers = project === 'faults' ? ['--workers=2'] : [];
  const args = ['node_modules/@playwright/test/cli.js', 'test', `--project=${project}`, ...workers];
  const code = await runNode(args, { TIDEMARK_E2E_REPORT: path });
  const report = readReport(path);
  return { ...countPlaywright(report, code), fallen: fallenOfPlaywright(report) };
}

/** Small sizes, ratios to floors of the same run alone, with slack (`bench/report.ts`). */
const runBench = async () => countCheck(await runNode(['--import', 'tsx', 'bench/run.ts', '--quick']));

const RUNNERS = [
  ['types', checkTypes],
  ['lint', checkLint],
  ['vitest', runVitest],
  ['build', checkBuild],
  ['playwright', () => runPlaywright('chromium')],
  ['faults', () => runPlaywright('faults')],
  ['bench', runBench],
];

async function main() {
  const trouble = judgeNode(process.versions.node);
  if (trouble !== null) throw new Error(trouble);
  await ensureInstalled(ROOT);
  const results = [];
  for (const [name, runner] of RUNNERS) {
    process.stdout.write(`\n── ${name}\n`);
    const from = performance.now();
    const counts = await runner();
    results.push({ name, ...counts, seconds: (performance.now() - from) / 1000 });
  }
  rmSync(reports, { recursive: true, force: true });
  const { lines, failed } = sumUp(results);
  const fallen = results.flatMap((result) => result.fallen ?? []);
  if (fallen.length > 0) process.stdout.write(`\n── what fell\n${fallen.join('\n')}\n`);
  process.stdout.write(`\n${lines.join('\n')}\n`);
  process.exitCode = failed === 0 ? 0 : 1;
}

main().catch((error) => {
  process.stdout.write(`${error.message}\n0 passed, 1 failed\n`);
  process.exit(1);
});
