import type { ImportWarning } from '@/server/contract/import';
import type { ImportRequest } from '@/server/core/import/make-import';

/** A log that an import made: whole, durable, under new ids, and read by nobody yet. */
export interface ImportedFile {
  readonly format: string;
  readonly logId: string;
  /** Branches that are sessions, the root first. */
  readonly sessions: readonly string[];
  readonly warnings: readonly ImportWarning[];
}

/**
 * Makes logs of files (X10), without the event loop ever waiting for it (`contract.md` 20). All or nothing: a file that
 * is refused, a full disk or a crash leaves no log and no half of one. Throws `invalid_import` with what was wrong,
 * `storage_full`, `storage_failed`, and whatever `body` throws.
 */
export interface ImportDesk {
  take(body: AsyncIterable<Uint8Array>, request: ImportRequest): Promise<ImportedFile>;
}
