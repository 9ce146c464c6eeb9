import type { EventDraft, LogEvent, StoredEvent } from '@/server/contract/events/event';
import type { DamageRange } from '@/server/core/projection/state-shape';

/** One record read back: an event, or bytes that are none. Byte ranges are half-open, without the newline. */
export type LogRecord =
  | { readonly kind: 'event'; readonly event: LogEvent; readonly from: number; readonly to: number }
  | { readonly kind: 'damage'; readonly range: DamageRange }
  | { readonly kind: 'torn'; readonly range: DamageRange };

/**
 * The append-only logs (L1, L2, L6, L8). One file a log; a driver owns `seq` and the checksum.
 * `append` and `create` resolve once the events are durable, with their final `seq` and `prev`, in order;
 * they throw `storage_full`, `storage_failed` or `conflict` (`create` of a log that exists) and then
 * nothing of the call counts. Appends that arrive while a sync runs share the next one.
 */
export interface SessionLog {
  create(logId: string, drafts: readonly EventDraft[]): Promise<readonly StoredEvent[]>;
  append(logId: string, drafts: readonly EventDraft[]): Promise<readonly StoredEvent[]>;
  /** Streams the file in order; opening heals nothing and changes no byte. Throws `not_found`. */
  read(logId: string): AsyncIterable<LogRecord>;
  /** The committed bytes as they stand, for export. */
  readBytes(logId: string): AsyncIterable<Uint8Array>;
  list(): Promise<readonly { readonly logId: string; readonly bytes: number }[]>;
  /**
   * Removes a log for good; once it resolves that is durable, and the log is as one that was never made. Nothing may be
   * appended to it meanwhile. Throws `not_found`, or `storage_failed` when it stays.
   */
  remove(logId: string): Promise<void>;
  /** Waits for what was accepted, then releases handles and the directory's lock. */
  close(): Promise<void>;
}
