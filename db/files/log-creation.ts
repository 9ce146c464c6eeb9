import { dirname } from 'node:path';
import { toLogExistsError } from '../prepare-drafts';
import { type FileOps, type LogFile, writeAll } from './file-ops';
import { surveyLog } from './log-survey';
import { errnoOf } from './storage-error';

interface CreationContext {
  /** Ends in `.jsonl`. */
  readonly path: string;
  readonly logId: string;
  readonly ops: FileOps;
}

/** What a log is called until it is whole. Nothing in such a file was ever acknowledged. */
const unfinished = '.new';

const toUnfinished = (path: string) => path.replace(/\.jsonl$/, unfinished);

/**
 * Makes a log's file all or nothing (L8, rel-S16): written and synced as `<id>.new`, then renamed, then the directory
 * synced. A crash or a full disk on the way leaves no half conversation: the name with `.jsonl` is given to whole
 * files only. Resolves with the handle behind the last byte; throws what the disk threw.
 */
export async function createLogFile({ path, ops }: CreationContext, bytes: Uint8Array): Promise<LogFile> {
  const file = await ops.openNew(toUnfinished(path));
  try {
    await writeAll(file, bytes);
    await file.syncAll();
    await ops.rename(toUnfinished(path), path);
    await ops.syncDirectory(dirname(path));
    return file;
  } catch (thrown) {
    await file.close().catch(() => undefined);
    // At once, not only at the next start: on a full disk it is this that takes the space.
    await ops.remove(toUnfinished(path)).catch(() => undefined);
    throw thrown;
  }
}

/**
 * Throws `conflict` where a log of this name holds anything but the events the caller is about to write. Those may stand
 * there whole when only the sync of the directory failed; then the same file is put in their place.
 */
export async function refuseTaken({ path, logId, ops }: CreationContext, pending: ReadonlySet<string>): Promise<void> {
  const file = await ops.openRead(path).catch((thrown: unknown) => {
    if (errnoOf(thrown) === 'ENOENT') return null;
    throw thrown;
  });
  if (file === null) return;
  try {
    const size = await file.size();
    const start = { offset: 0, lines: 0, newestSeq: 0 };
    const survey = await surveyLog(file, { start, size, pending, isFirst: true, unreported: [] });
    if (survey.holdsOthers || survey.torn !== null || survey.damage.length > 0) throw toLogExistsError(logId);
  } finally {
    await file.close().catch(() => undefined);
  }
}

/** At start: files that a crash left before they became logs. One that cannot be removed does no harm: none is listed. */
export async function removeUnfinished(ops: FileOps, directory: string): Promise<void> {
  const found = await ops.list(directory, unfinished);
  await Promise.all(found.map(({ name }) => ops.remove(`${directory}/${name}`).catch(() => undefined)));
}
