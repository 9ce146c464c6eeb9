import { Worker } from 'node:worker_threads';
import { AppError } from '@/server/contract/error';
import type { SearchIndex } from '@/server/ports/search-index';
import type { SearchAnswer } from './search-calls';
import { type AskTables, createSearchIndex } from './search-index';

export interface ThreadedSearch {
  /** The database; deleting it while nothing runs costs nothing but time at the next start. */
  readonly path: string;
  /** `search-worker.mjs`, as the installed program has it: bundled code cannot say where its source lies. */
  readonly worker: string;
  readonly report: (line: string) => void;
}

interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Full-text search in a thread of its own, so that the event loop waits for none of it (`contract.md` 20). Should the
 * thread end, every call rejects with `storage_failed` until the next start.
 */
export function openSearchInThread({ path, worker, report }: ThreadedSearch): SearchIndex {
  const waiting = new Map<number, Waiting>();
  const thread = startThread(worker, path);
  let newest = 0;
  let ended: AppError | null = null;
  const endAll = (cause: unknown) => {
    ended ??= new AppError('storage_failed', 'Full-text search has stopped.', { cause });
    for (const { reject } of waiting.values()) reject(ended);
    waiting.clear();
  };
  thread.on('message', (answer: SearchAnswer) => {
    const asked = waiting.get(answer.id);
    waiting.delete(answer.id);
    // Only while an answer is awaited does the thread keep the process alive.
    if (waiting.size === 0) thread.unref();
    if (answer.ok) asked?.resolve(answer.value);
    else asked?.reject(new AppError('storage_failed', `Full-text search: ${answer.why}`));
  });
  thread.on('error', endAll);
  thread.on('exit', endAll);
  thread.unref();

  const ask: AskTables = (call) =>
    new Promise((resolve, reject) => {
      if (ended !== null) return reject(ended);
      newest += 1;
      waiting.set(newest, { resolve, reject });
      thread.ref();
      thread.postMessage({ ...call, id: newest });
    });
  return createSearchIndex(ask, report);
}

/** `execArgv` of its own: loaders that the process was started with are not the thread's. */
function startThread(worker: string, path: string): Worker {
  return new Worker(worker, { workerData: { path }, execArgv: [], name: 'search' });
}
