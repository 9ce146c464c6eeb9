import { runLoop, runManual } from '@/server/session/testing/failure-loop';
import { runPaths } from './offline/paths';
import { reportLoop, reportPaths } from './offline/report';

/** `npm run eval:offline`: E1's five paths and E2's loop, against servers of this machine. Nothing else is spoken to. */
async function main(): Promise<void> {
  for (const line of reportPaths(await runPaths())) console.log(line);
  console.log('');
  const loop = { before: await runLoop('before'), after: await runLoop('after'), manual: await runManual() };
  for (const line of reportLoop(loop)) console.log(line);
}

await main();
