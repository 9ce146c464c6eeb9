import type { StoredEvent } from '@/server/contract/events/event';
import type { SessionLog } from '@/server/ports/session-log';
import type { DraftMaker } from '../contract-tests/session-log-drafts';
import { makeDrafts } from '../contract-tests/session-log-drafts';
import type { FileOps } from './file-ops';
import type { DiskCall, DiskMoment, Fault } from './memory-disk';
import { MemoryDisk } from './memory-disk';
import type { Random } from './power-cut';
import { openFilesSessionLog } from './session-log';

/** What was promised when the disk stood at this moment. */
export interface RecordedMoment extends DiskMoment {
  readonly acknowledged: readonly StoredEvent[];
}

export interface RecordedRun {
  readonly make: DraftMaker;
  readonly logId: string;
  readonly path: string;
  readonly bytes: Buffer;
  /** Ids of the events the log began with: a file that is there holds all of them. */
  readonly created: readonly string[];
  readonly moments: readonly RecordedMoment[];
  readonly acknowledged: readonly StoredEvent[];
  /** Codes of the calls that were refused. */
  readonly refused: readonly string[];
}

export interface RunOptions {
  readonly random: Random;
  readonly calls: number;
  readonly fault?: (call: DiskCall, nth: number) => Fault;
  /** A driver that forgets something, to show that the check would notice. */
  readonly spoil?: (disk: MemoryDisk) => FileOps;
}

const dataDir = '/data';

/** A log made and appended to by several callers at once, with a record of what a power cut could leave when. */
export async function recordRun({ random, calls, fault, spoil }: RunOptions): Promise<RecordedRun> {
  const make = makeDrafts();
  const logId = make.id();
  const path = `${dataDir}/logs/${logId}.jsonl`;
  const acknowledged: StoredEvent[] = [];
  const moments: RecordedMoment[] = [];
  const refused: string[] = [];
  const record = () => moments.push({ ...disk.momentOf(path), acknowledged: [...acknowledged] });
  const disk = new MemoryDisk({ ...(fault ? { fault } : {}), onMoment: record });
  const log = await openFilesSessionLog({ dataDir, ...make, lock: null, ops: spoil ? spoil(disk) : disk });
  const keep = (call: Promise<readonly StoredEvent[]>) =>
    call.then(
      (events) => {
        acknowledged.push(...events);
        record();
      },
      (error: unknown) => {
        refused.push(error instanceof Error && 'code' in error ? String(error.code) : String(error));
      },
    );

  const first = make.opened(logId);
  await keep(log.create(logId, first));
  for (let left = calls; left > 0; ) {
    const together = 1 + Math.floor(random() * 4);
    left -= together;
    await Promise.all(Array.from({ length: together }, () => keep(appendSome(log, { make, logId, random }))));
  }
  await log.close();
  const created = first.map(({ id }) => id);
  return { make, logId, path, bytes: disk.bytesOf(path), created, moments, acknowledged, refused };
}

function appendSome(log: SessionLog, given: { make: DraftMaker; logId: string; random: Random }) {
  const { make, logId, random } = given;
  const text = 'wörd '.repeat(Math.floor(random() * 60));
  const messages = Array.from({ length: 1 + Math.floor(random() * 2) }, () => make.message(logId, text));
  const mark = make.mark(logId, 2, text);
  return log.append(logId, [...messages, mark, make.mark(logId, { id: mark.id })]);
}

/**
 * Opens what a crash left with a fresh driver, as the next process would, and appends to it. Empty when everything
 * acknowledged is there, as it was and under its `seq`, no byte changed, and the new event reads back; otherwise what
 * went wrong.
 */
export async function findLosses(run: RecordedRun, image: Buffer, acknowledged: readonly StoredEvent[]) {
  const disk = new MemoryDisk();
  disk.put(run.path, image);
  const log = await openFilesSessionLog({ dataDir, ...run.make, lock: null, ops: disk });
  const losses: string[] = [];
  const compare = async (events: readonly StoredEvent[], when: string) => {
    const found = new Map<string, { seq: number; content: string }[]>();
    for await (const record of log.read(run.logId)) {
      if (record.kind !== 'event') continue;
      const copies = found.get(record.event.id) ?? [];
      found.set(record.event.id, [...copies, { seq: record.event.seq, content: contentOf(record.event) }]);
    }
    for (const event of events) {
      const copies = found.get(event.id) ?? [];
      const same = copies.every((copy) => copy.content === contentOf(event));
      if (!same || !copies.some((copy) => copy.seq === event.seq)) losses.push(`${when}: ${event.type} ${event.seq}`);
    }
    if (run.created.some((id) => !found.has(id))) losses.push(`${when}: half a create`);
  };
  await compare(acknowledged, 'opened');
  const appended = await log.append(run.logId, [run.make.message(run.logId, 'next')]);
  await compare([...acknowledged, ...appended], 'appended');
  await log.close();
  if (!disk.bytesOf(run.path).subarray(0, image.length).equals(image)) losses.push('bytes were changed');
  return losses;
}

/** An event written anew has another place but says the same. */
function contentOf(event: object): string {
  return JSON.stringify({ ...event, seq: 0, prev: 0 });
}
