import { AppError } from '@/server/contract/error';
import { backUpDirectory } from './backup-directory';

const usage = `npm run backup -- DIRECTORY [--with-secret]

Copies the data directory (TIDEMARK_DATA_DIR, or "data") to DIRECTORY, which must be empty or not there. The server may
run meanwhile. The copy is a data directory of its own: TIDEMARK_DATA_DIR=DIRECTORY npm start goes on from it.
  --with-secret  takes the secret along; without it, stored provider keys have to be entered again

Ends with 0 when the backup stands, 1 when it does not, 2 for arguments that make no sense.`;

async function main(args: readonly string[]): Promise<number> {
  const places = args.filter((arg) => arg !== '--with-secret');
  const [into] = places;
  if (into === undefined || places.length > 1 || into.startsWith('-')) {
    console.error(usage);
    return 2;
  }
  // Whatever is made is this user's alone (rel-S30).
  process.umask(0o077);
  const withSecret = args.includes('--with-secret');
  try {
    const dataDir = process.env.TIDEMARK_DATA_DIR ?? 'data';
    const { logs, bytes, empty } = await backUpDirectory({ dataDir, into, withSecret });
    for (const name of empty) console.log(`${name}: holds no whole line and was left out.`);
    console.log(`Copied to ${into}: ${logs} logs of ${bytes} bytes, the database, the workspace.`);
    if (!withSecret) console.log('The secret is not in it: after a restore, provider keys have to be entered again.');
    return 0;
  } catch (thrown) {
    console.error(thrown instanceof AppError || thrown instanceof Error ? thrown.message : String(thrown));
    return 1;
  }
}

process.exitCode = await main(process.argv.slice(2));
