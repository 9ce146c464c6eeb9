import { spawn } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Measured, Medians } from './bars';
import type { RunName } from './child';
import { median } from './clock';
import { runPeers } from './peers/run-peers';
import { PLANS, type Plan, TIMES } from './plans';
import { judge, printTable, type Result } from './report';
import { sessionOf } from './sessions/session-files';

const usage = `npm run bench -- [--quick] [--only NAME] [--peers]

Measures Tidemark against floors taken in the same run (performance: perf-A to perf-F) and prints one table. Each number
is the median of several processes. Ends with 1 where a bar is missed by more than noise may explain.
  --quick      small sizes, three processes each; under three minutes
  --only NAME  one of: ${PLANS.map(({ bench }) => bench).join(', ')}
  --peers      installs pi and langchain into a scratch folder and measures them beside it`;

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const CHILD = fileURLToPath(new URL('child.ts', import.meta.url));
/** Room for the floor of a million items, which keeps them all. */
const MEMORY_MB = 8192;

/** One fresh process; throws with what it said where it fails. */
async function measure(run: RunName, input: object): Promise<Measured> {
  const node = [
    '--import',
    'tsx',
    '--expose-gc',
    `--max-old-space-size=${MEMORY_MB}`,
    CHILD,
    run,
    JSON.stringify(input),
  ];
  const child = spawn(process.execPath, node, { cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  const code = await new Promise((resolve) => child.on('close', resolve));
  const line = said.trim().split('\n').at(-1) ?? '';
  if (code !== 0 || !line.startsWith('{')) throw new Error(`${run} ended with ${code}: ${said.slice(-500)}`);
  return JSON.parse(line);
}

interface Mode {
  readonly mode: 'quick' | 'full';
  readonly folder: string;
}

async function measureAt(plan: Plan, size: number, { mode, folder }: Mode): Promise<Result> {
  const input = plan.input === 'session' ? sessionOf(size, folder) : { count: size };
  if (plan.prepare) await measure(plan.prepare, input);
  const measured = new Map<RunName, Measured[]>();
  for (let time = 0; time < TIMES[mode]; time += 1) {
    for (const run of plan.runs) measured.set(run, [...(measured.get(run) ?? []), await measure(run, input)]);
  }
  const medians: Medians = Object.fromEntries([...measured].map(([run, all]) => [run, mediansOf(all)]));
  process.stderr.write(`${plan.bench} ${size}: ${JSON.stringify(medians)}\n`);
  return { bench: plan.bench, size, medians };
}

function mediansOf(all: readonly Measured[]): Measured {
  const names = Object.keys(all[0] ?? {});
  return Object.fromEntries(names.map((name) => [name, median(all.map((one) => one[name] ?? Number.NaN))]));
}

async function main(args: readonly string[]): Promise<number> {
  const only = args.includes('--only') ? args[args.indexOf('--only') + 1] : null;
  const known = args.filter((arg) => !['--quick', '--peers', '--only', only].includes(arg));
  if (known.length > 0 || (only !== null && !PLANS.some(({ bench }) => bench === only))) {
    console.error(usage);
    return 2;
  }
  const mode = args.includes('--quick') ? 'quick' : 'full';
  const folder = join(tmpdir(), `tidemark-bench-${process.pid}`);
  mkdirSync(folder, { recursive: true });
  try {
    const { ms } = await measure('calibration', {});
    const results: Result[] = [];
    for (const plan of PLANS.filter(({ bench }) => only === null || bench === only)) {
      for (const size of plan[mode]) results.push(await measureAt(plan, size, { mode, folder }));
    }
    const rows = judge(results, mode);
    for (const line of printTable(rows)) console.log(line);
    console.log(
      `\nCalibration: ${ms?.toFixed(1)} ms to parse 10,000 lines of a kilobyte; ${availableParallelism()} cores.`,
    );
    if (args.includes('--peers')) for (const line of runPeers(folder)) console.log(line);
    const missed = rows.filter(({ fails }) => fails);
    console.log(
      `Bars measured: ${rows.length}, held: ${rows.filter(({ holds }) => holds).length}, failed: ${missed.length}.`,
    );
    return missed.length === 0 ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

process.exitCode = await main(process.argv.slice(2));
