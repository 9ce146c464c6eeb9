import type { ScanStart } from '@/server/core/log/scan-log';
import type { DamageRange } from '@/server/core/projection/state-shape';

/** What a snapshot says of the bytes before `place`, so that nobody has to look at them again before adding a line. */
export interface Vouched {
  readonly place: ScanStart;
  /** Damage among them that no line of the log reports. */
  readonly unreported: readonly DamageRange[];
}

/** One saving: rows go behind those there are, from row `at` on; the snapshot replaces the one before it. */
export interface SideWrite {
  readonly snapshot: Uint8Array;
  readonly rows: { readonly at: number; readonly bytes: Uint8Array };
}

/**
 * What is kept beside a log and derived from it (perf-A2, perf-A3): a snapshot of its state and a row for each of its
 * lines. Any of it may be missing, old, half written or another's at any moment: who reads it judges it, and losing it
 * only costs time (rel-S17). Nothing here ever throws for that.
 */
export interface LogSide {
  /** The snapshot's bytes as they are; null without one. */
  load(logId: string): Promise<Uint8Array | null>;
  /** Never throws: a full disk only means that the next opening takes longer. */
  save(logId: string, written: SideWrite): Promise<void>;
  /** The first so many bytes of the rows; null where there are fewer. */
  rows(logId: string, bytes: number): Uint8Array | null;
  /** Bytes of the log itself, fewer where it ends before. Lines never change, so this is looking up a value. */
  bytes(logId: string, place: { readonly from: number; readonly bytes: number }): Uint8Array;
  /** The committed bytes from an offset on. Throws as `SessionLog.readBytes` does. */
  readFrom(logId: string, offset: number): AsyncIterable<Uint8Array>;
  /** The next append need not read what stands before this place. */
  vouch(logId: string, vouched: Vouched): void;
  forget(logId: string): Promise<void>;
}
