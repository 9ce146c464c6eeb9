import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { makeDrafts } from '../../db/contract-tests/session-log-drafts';
import { seededRandom } from '../../db/files/power-cut';
import { openFilesSessionLog } from '../../db/files/session-log';
import { createFaultDisk, type DiskFault, type FaultDisk, type FileCall } from './fault-disk';
import { newIds, SEED, say, timesOf } from './rounds';
import { buildLogChild, startLogChild } from './start-log-child';

const ROUNDS = timesOf(120, 1_000);
/** Rounds on one log, so that logs do not grow without end. */
const ROUNDS_A_LOG = 25;
const SIDES = 2;

type Random = () => number;
const pick = <T>(of: readonly T[], random: Random): T | undefined => of[Math.floor(random() * of.length)];

/** One of: a call on the log's file or on its directory, died before, half-way or after it; or a signal at any time. */
function pickKill(random: Random): DiskFault | null {
  if (random() < 0.2) return null;
  const call: FileCall = pick(['write', 'write', 'fdatasync', 'fsync', 'rename', 'open'] as const, random) ?? 'write';
  const does = pick(['kill-before', 'kill-half', 'kill-after'] as const, random) ?? 'kill-before';
  const often = call === 'write' || call === 'fdatasync';
  return { match: '/logs', call, from: 1 + Math.floor(random() * (often ? 12 : 3)), does };
}

interface Side {
  readonly dataDir: string;
  readonly disk: FaultDisk;
  readonly script: string;
  readonly random: Random;
}

/** Everything that was acknowledged in one log, and its bytes after each death. */
interface Ledger {
  readonly logId: string;
  readonly acknowledged: string[];
  bytes: Buffer;
  created: boolean;
}

async function killOnce({ dataDir, disk, script, random }: Side, ledger: Ledger): Promise<void> {
  const { logId, acknowledged } = ledger;
  const kill = pickKill(random);
  disk.plan(...(kill === null ? [] : [kill]));
  const child = startLogChild({ script, dataDir, env: disk.env });
  // Where the call never comes, a signal ends it after so many answers.
  const enough = 1 + Math.floor(random() * (kill === null ? 40 : 120));
  let answers = 0;
  for (let told = await child.next(); told !== null; told = await child.next()) {
    if (told.told === 'refused') {
      // Made by the process before, which died before it could say so.
      if (told.code !== 'conflict') throw new Error(`refused without a fault: ${told.message}`);
      ledger.created = true;
      child.ask({ ask: 'flood', logId });
    } else if (told.told === 'ready') {
      child.ask({ ask: ledger.created ? 'flood' : 'create', logId });
    } else {
      acknowledged.push(...told.ids);
      answers += 1;
      if (!ledger.created) child.ask({ ask: 'flood', logId });
      ledger.created = true;
      if (answers === enough) child.signal('SIGKILL');
    }
  }
  await child.gone;
  const bytes = await readFile(join(dataDir, 'logs', `${logId}.jsonl`)).catch(() => Buffer.alloc(0));
  expect(bytes.subarray(0, ledger.bytes.length).equals(ledger.bytes), 'no byte changed').toBe(true);
  ledger.bytes = bytes;
}

/** As the next process opens it: everything acknowledged once and once only, and the next append is intact. */
async function judge(dataDir: string, { logId, acknowledged }: Ledger): Promise<void> {
  const make = makeDrafts();
  const log = await openFilesSessionLog({ dataDir, ...make, lock: null });
  const [next] = await log.append(logId, [make.message(logId, 'after all that')]);
  const ids: string[] = [];
  for await (const record of log.read(logId)) if (record.kind === 'event') ids.push(record.event.id);
  await log.close();
  const counts = new Map<string, number>();
  for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + 1);
  expect(acknowledged.filter((id) => counts.get(id) !== 1)).toEqual([]);
  expect(new Set(acknowledged).size).toBe(acknowledged.length);
  expect(ids.at(-1)).toBe(next?.id);
}

test(`rel-S1: ${ROUNDS} kills while four write: nothing acknowledged is lost or doubled, no byte changes`, async () => {
  test.setTimeout(120_000 + ROUNDS * 6_000);
  const script = await buildLogChild();
  const runSide = async (side: number) => {
    const dataDir = await mkdtemp(join(tmpdir(), 'tidemark-kill-'));
    const random = seededRandom(SEED + side);
    const given = { dataDir, disk: createFaultDisk(dataDir), script, random };
    let acknowledged = 0;
    for (let left = ROUNDS / SIDES; left > 0; left -= ROUNDS_A_LOG) {
      const ledger: Ledger = { logId: newIds.next(), acknowledged: [], bytes: Buffer.alloc(0), created: false };
      for (let round = 0; round < Math.min(left, ROUNDS_A_LOG); round += 1) await killOnce(given, ledger);
      await judge(dataDir, ledger);
      acknowledged += ledger.acknowledged.length;
    }
    await rm(dataDir, { recursive: true });
    return acknowledged;
  };
  const acknowledged = await Promise.all(Array.from({ length: SIDES }, (_, side) => runSide(side)));
  const sum = acknowledged.reduce((total, each) => total + each, 0);
  expect(sum).toBeGreaterThan(ROUNDS);
  say(
    `rel-S1: ${ROUNDS} kills, seed ${SEED}: 0 of ${sum} acknowledged lines lost (rate below ${(300 / ROUNDS).toFixed(1)} % of kills, at 95 %)`,
  );
});
