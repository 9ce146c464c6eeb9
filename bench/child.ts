import { runAppend } from './runs/append';
import { runCalibration } from './runs/calibrate';
import { runDurability } from './runs/durability';
import { runFanOut } from './runs/fan-out';
import { runJobs } from './runs/jobs';
import { prepareOpen, runOpen } from './runs/open';
import { runProjection } from './runs/projection';
import { runReplay, runReplayFloor } from './runs/replay';

/** What one process measures; given by name, with its input as JSON, answered as one line of JSON. */
const RUNS = {
  calibration: runCalibration,
  'replay-floor': runReplayFloor,
  replay: runReplay,
  'open-prepare': prepareOpen,
  open: runOpen,
  append: runAppend,
  projection: runProjection,
  durability: runDurability,
  jobs: runJobs,
  'fan-out': runFanOut,
};

export type RunName = keyof typeof RUNS;

const [name = '', input = '{}'] = process.argv.slice(2);
const run = Object.entries(RUNS).find(([known]) => known === name)?.[1] as ((input: unknown) => unknown) | undefined;
if (run === undefined) throw new Error(`there is no run ${name}`);
console.log(JSON.stringify(await run(JSON.parse(input))));
process.exit(0);
