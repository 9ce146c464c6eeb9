import { AppError } from '@/server/contract/error';
import type { EventDraft } from '@/server/contract/events/event';
import type { PreparedDraft } from '@/server/core/log/encode-line-draft';
import { prepareDraft } from '@/server/core/log/encode-line-draft';

/**
 * Checks the drafts of one call before anything of it is written. Throws `payload_too_large` for an event that
 * no reader would take, and `internal` for one that breaks its schema, which is a fault of the program.
 */
export function prepareDrafts(drafts: readonly EventDraft[]): readonly PreparedDraft[] {
  return drafts.map((draft) => {
    const prepared = prepareDraft(draft);
    if (prepared.kind === 'ready') return prepared.draft;
    const details = { type: draft.type, why: prepared.why };
    if (prepared.why === 'not_valid') throw new AppError('internal', 'An event does not fit its schema.', { details });
    throw new AppError('payload_too_large', 'This is too large or too deeply nested to be saved.', { details });
  });
}

/** A call that builds on an event which is in no file and not on its way to one. */
export function toMissingError(id: string): AppError {
  return new AppError('conflict', 'This builds on something that was not saved.', { details: { id } });
}

/** A `create` of a log that is there already. */
export function toLogExistsError(logId: string): AppError {
  return new AppError('conflict', 'A log with this id exists already.', { details: { logId } });
}

/** A log that is not there, or was never made whole. */
export function toLogMissingError(logId: string): AppError {
  return new AppError('not_found', 'There is no such conversation.', { details: { logId } });
}

/** A call that came after the driver was told to close. */
export function toClosedError(): AppError {
  return new AppError('unavailable', 'The server is stopping; nothing more is saved.');
}
