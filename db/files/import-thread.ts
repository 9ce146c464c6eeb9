import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import type { EventDraft } from '@/server/contract/events/event';
import { createIds } from '@/server/core/ids';
import { makeImport } from '@/server/core/import/make-import';
import type { PreparedDraft } from '@/server/core/log/encode-line-draft';
import { prepareDrafts } from '../prepare-drafts';
import type { ImportAnswer, ImportWork } from './import-work';
import { errnoOf } from './storage-error';

const AT_ONCE = 500;

/**
 * Understands an uploaded file and writes its log: under another name until every line is synced, then renamed, then the
 * directory synced, as every log is made (L8, rel-S16).
 */
function carryOut({ upload, directory, request }: ImportWork): ImportAnswer {
  const ids = createIds({ clock: { now: () => Date.now() }, drawBytes: randomBytes });
  const made = makeImport(readFileSync(upload), request, ids.next);
  if (!made.ok) return { kind: 'refused', why: made.why };
  const { drafts, format, logId, sessions, warnings } = made;
  const half = join(directory, `${logId}.new`);
  const path = join(directory, `${logId}.jsonl`);
  try {
    writeLines(half, drafts);
    renameSync(half, path);
    sync(dirname(path));
  } catch (error) {
    rmSync(half, { force: true });
    throw error;
  }
  return { kind: 'made', file: { format, logId, sessions, warnings } };
}

function writeLines(path: string, drafts: readonly EventDraft[]): void {
  const file = openSync(path, 'wx', 0o600);
  try {
    const seqs = new Map<string, number>();
    for (let from = 0; from < drafts.length; from += AT_ONCE) {
      const lines = prepareDrafts(drafts.slice(from, from + AT_ONCE)).map((draft, at) => {
        seqs.set(draft.id, from + at + 1);
        return draft.place({ seq: from + at + 1, prev: linkOf(draft, seqs) }).line;
      });
      writeWhole(file, Buffer.from(lines.join('')));
    }
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** A short write is completed (L8). */
function writeWhole(file: number, bytes: Uint8Array): void {
  for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done);
}

/** An importer links to lines it has written before, by id or by place. */
function linkOf({ prev }: PreparedDraft, seqs: ReadonlyMap<string, number>): number | null {
  if (prev === undefined || prev === null || typeof prev === 'number') return prev ?? null;
  const seq = seqs.get(prev.id);
  if (seq === undefined) throw new TypeError(`the import links to ${prev.id}, which is not in it`);
  return seq;
}

function sync(directory: string): void {
  const handle = openSync(directory, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

function answer(work: ImportWork): ImportAnswer {
  try {
    return carryOut(work);
  } catch (error) {
    return {
      kind: 'failed',
      errno: errnoOf(error),
      why: error instanceof Error ? (error.stack ?? error.message) : String(error),
    };
  }
}

parentPort?.postMessage(answer(workerData));
