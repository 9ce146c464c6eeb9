import { examineLogs, printFindings } from './doctor-report';

const usage = `npm run doctor -- [DIRECTORY]

Looks at every conversation log of a data directory and says what is damaged, torn or breaks a rule. Nothing is
changed. While a server is running, the newest line of a log may still be on its way and look torn.
  DIRECTORY  default: TIDEMARK_DATA_DIR, or "data"

Ends with 0 when there is nothing to report, 1 when there is, 2 when it could not look.`;

async function main(args: readonly string[]): Promise<number> {
  if (args.length > 1 || args[0]?.startsWith('-')) {
    console.error(usage);
    return 2;
  }
  const dataDir = args[0] ?? process.env.TIDEMARK_DATA_DIR ?? 'data';
  try {
    const logs = await examineLogs(dataDir);
    for (const line of printFindings(logs)) console.log(line);
    return logs.some(({ findings }) => findings.length > 0) ? 1 : 0;
  } catch (thrown) {
    console.error(`${dataDir} cannot be looked at: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
    return 2;
  }
}

process.exitCode = await main(process.argv.slice(2));
