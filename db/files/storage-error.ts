import { AppError } from '@/server/contract/error';

const fullCodes = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

/** The system's name of what went wrong (`ENOSPC`), or null when it was nothing of the system's. */
export function errnoOf(thrown: unknown): string | null {
  if (!(thrown instanceof Error) || !('code' in thrown)) return null;
  return typeof thrown.code === 'string' ? thrown.code : null;
}

/**
 * What a person is told when a log could not be written (L8). An `AppError` stays what it is. The
 * system's own words may hold paths, so they go into the cause.
 */
export function toStorageError(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown;
  const errno = errnoOf(thrown);
  const details = errno === null ? {} : { errno };
  if (errno !== null && fullCodes.has(errno)) {
    const message = 'The disk is full, so this was not saved. Free some space and send it again.';
    return new AppError('storage_full', message, { details, cause: thrown });
  }
  const message = `The disk did not take this${errno === null ? '' : ` (${errno})`}, so it was not saved. Send it again; if it keeps failing, check the disk of the server.`;
  return new AppError('storage_failed', message, { details, cause: thrown });
}

/** What a person is told when a log could not be read; what is in it is as it was. */
export function toReadError(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown;
  const errno = errnoOf(thrown);
  const message = `The disk could not read this conversation${errno === null ? '' : ` (${errno})`}. Nothing was changed; check the disk of the server.`;
  return new AppError('storage_failed', message, { details: errno === null ? {} : { errno }, cause: thrown });
}
