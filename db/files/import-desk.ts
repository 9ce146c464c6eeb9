import { rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { AppError } from '@/server/contract/error';
import type { Ids } from '@/server/ports/clock';
import type { ImportDesk, ImportedFile } from '@/server/ports/import-desk';
import { type FileOps, nodeFileOps, writeAll } from './file-ops';
import type { ImportAnswer, ImportWork } from './import-work';
import { toStorageError } from './storage-error';

export interface ImportDeskOptions {
  readonly dataDir: string;
  /** `import-worker.mjs`, as the installed program has it: bundled code cannot say where its source lies. */
  readonly worker: string;
  readonly ids: Ids;
  /** Bytes that may still be written to the disk. */
  readonly freeBytes?: () => Promise<number>;
  readonly ops?: FileOps;
}

/** Left free for everybody else, whatever is brought in. */
const RESERVE_BYTES = 64_000_000;
const LOOK_EACH_BYTES = 16_000_000;

/**
 * Imports beside the event loop: the body goes to a file as it comes, so none of it is held, then a thread of its own
 * understands it and writes the log. The file's name ends as that of a log which is not whole yet: a start removes it.
 */
export function openImportDesk(options: ImportDeskOptions): ImportDesk {
  const { dataDir, worker, ids, ops = nodeFileOps } = options;
  const directory = join(dataDir, 'logs');
  const freeBytes = options.freeBytes ?? (() => freeBytesOf(directory));
  return {
    take: async (body, request) => {
      const upload = join(directory, `${ids.next()}.upload.new`);
      try {
        await save(body, { upload, ops, freeBytes });
        return await runThread(worker, { upload, directory, request });
      } finally {
        await rm(upload, { force: true }).catch(() => undefined);
      }
    },
  };
}

interface Saving {
  readonly upload: string;
  readonly ops: FileOps;
  readonly freeBytes: () => Promise<number>;
}

async function save(body: AsyncIterable<Uint8Array>, { upload, ops, freeBytes }: Saving): Promise<void> {
  const file = await ops.openNew(upload).catch((thrown: unknown) => {
    throw toStorageError(thrown);
  });
  let size = 0;
  let looked = Number.NEGATIVE_INFINITY;
  try {
    for await (const piece of body) {
      size += piece.byteLength;
      if (size - looked >= LOOK_EACH_BYTES) {
        refuseWhereFull(size, await freeBytes());
        looked = size;
      }
      await writeAll(file, piece).catch((thrown: unknown) => {
        throw toStorageError(thrown);
      });
    }
  } finally {
    await file.close().catch(() => undefined);
  }
}

/** The log takes about as much again as the file (rel-S28): said before it is tried. */
function refuseWhereFull(size: number, free: number): void {
  if (free - size >= RESERVE_BYTES) return;
  const mb = (bytes: number) => `${Math.ceil(bytes / 1e6)} MB`;
  throw new AppError(
    'storage_full',
    `There is too little room on the disk: ${mb(size + RESERVE_BYTES)} or more are needed for this import, ${mb(free)} are free.`,
  );
}

async function freeBytesOf(directory: string): Promise<number> {
  const { bavail, bsize } = await statfs(directory);
  return bavail * bsize;
}

/** `execArgv` of its own: loaders that the process was started with are not the thread's. */
async function runThread(worker: string, work: ImportWork): Promise<ImportedFile> {
  const answer = await new Promise<ImportAnswer>((resolve, reject) => {
    const thread = new Worker(worker, { workerData: work, execArgv: [], name: 'import' });
    thread.once('message', resolve);
    thread.once('error', reject);
    thread.once('exit', () => reject(new Error('the thread of the import ended without a word')));
  }).catch((cause: unknown) => {
    throw new AppError('storage_failed', 'This file could not be read in.', { cause });
  });
  if (answer.kind === 'made') return answer.file;
  if (answer.kind === 'refused') throw new AppError('invalid_import', answer.why);
  throw toStorageError(Object.assign(new Error(answer.why), answer.errno === null ? {} : { code: answer.errno }));
}
