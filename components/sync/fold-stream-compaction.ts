import type { CompactionTrigger } from '@/server/contract/boundary';
import type { Activity, CompactionStage, SegmentTally } from '@/server/contract/session';
import type { Model, TroubleDetail } from '@/server/contract/shapes';
import type { ChatCompacted, ChatCompacting } from '@/server/contract/stream';

/**
 * The one row of a compaction, from the click to its end (ux 6.3). `requested` is drawn by this tab before the network;
 * the server's event makes the same row `running`, in every tab. A conversation never has two.
 */
export interface CompactionRow {
  readonly state: 'requested' | 'running' | 'cancelling' | 'cancelled' | 'failed' | 'skipped' | 'landed';
  readonly clientRequestId: string | null;
  readonly compactionId: string | null;
  /** The server has answered the request; false: it may have to be sent again with the same id. */
  readonly acknowledged: boolean;
  readonly trigger: CompactionTrigger;
  readonly focus: string | null;
  readonly model: Model | null;
  readonly stage: CompactionStage | null;
  readonly segments: SegmentTally | null;
  /** Numbers of the segments that are being read now, as in the ledger; only the stream tells them. */
  readonly reading: readonly number[];
  readonly attempt: ChatCompacting['attempt'] | null;
  /** When it began, ISO; the click's time until the server says its own. */
  readonly since: string;
  readonly reason: string | null;
  readonly detail: TroubleDetail | null;
  readonly bytesBefore: number | null;
  readonly bytesAfter: number | null;
  readonly dropped: number;
}

const quiet = { reason: null, detail: null, bytesBefore: null, bytesAfter: null, dropped: 0 } as const;

/** A row whose compaction is not over. */
export type LiveRow = CompactionRow & { readonly state: 'requested' | 'running' | 'cancelling' };

export function isLive(row: CompactionRow | null): row is LiveRow {
  return row !== null && (row.state === 'requested' || row.state === 'running' || row.state === 'cancelling');
}

/** The row from the click; a live row stays as it is, so three clicks are one row and one request (ux 7.4). */
export function foldRequested(
  row: CompactionRow | null,
  request: { readonly clientRequestId: string; readonly focus: string | null; readonly at: string },
): CompactionRow {
  if (isLive(row)) return row;
  return {
    ...quiet,
    state: 'requested',
    clientRequestId: request.clientRequestId,
    compactionId: null,
    acknowledged: false,
    trigger: 'manual',
    focus: request.focus,
    model: null,
    stage: null,
    segments: null,
    reading: [],
    attempt: null,
    since: request.at,
  };
}

/** A compaction that was over is not begun again by a late event of its own. */
function isLate(row: CompactionRow | null, compactionId: string): boolean {
  return row !== null && !isLive(row) && row.compactionId === compactionId;
}

/**
 * The server's word on a running compaction. One conversation runs one compaction at a time and a second request joins
 * it (contract 14), so a row that waits for its first event takes whichever comes, by its own id or not.
 */
export function foldCompacting(row: CompactionRow | null, event: ChatCompacting): CompactionRow | null {
  if (isLate(row, event.compactionId)) return row;
  const live = isLive(row) && (row.compactionId === null || row.compactionId === event.compactionId) ? row : null;
  return {
    ...quiet,
    state: live?.state === 'cancelling' ? 'cancelling' : 'running',
    clientRequestId: event.clientRequestId ?? live?.clientRequestId ?? null,
    compactionId: event.compactionId,
    acknowledged: true,
    trigger: event.trigger,
    focus: live?.focus ?? null,
    model: event.model,
    stage: event.stage,
    // A later stage and a retry tell none of the segments; they are what they were.
    segments: event.segments ?? live?.segments ?? null,
    reading: event.reading ?? [],
    attempt: event.attempt ?? null,
    // Each event says its own moment; the row counts from the first, so that a new stage starts no clock anew.
    since: live?.compactionId === event.compactionId ? live.since : (event.since ?? live?.since ?? ''),
  };
}

const endStates = {
  committed: 'landed',
  rejected: 'failed',
  failed: 'failed',
  cancelled: 'cancelled',
  skipped: 'skipped',
} as const;

/** How it ended. `landed` stays until its card is in the transcript, so nothing flickers between the two. */
export function foldCompacted(row: CompactionRow | null, event: ChatCompacted): CompactionRow | null {
  if (row !== null && row.compactionId !== null && row.compactionId !== event.compactionId) return row;
  if (row === null && event.outcome === 'committed') return null;
  const base = row ?? foldRequested(null, { clientRequestId: '', focus: null, at: '' });
  return {
    ...base,
    state: endStates[event.outcome],
    compactionId: event.compactionId,
    acknowledged: true,
    reason: event.reason ?? null,
    detail: event.detail ?? null,
    bytesBefore: event.bytesBefore,
    bytesAfter: event.bytesAfter,
    dropped: event.dropped?.length ?? 0,
  };
}

/** Stopping was asked for and nothing runs any more. */
function isStopped(row: CompactionRow | null): boolean {
  return row?.state === 'cancelling' && row.compactionId !== null;
}

/** The row after a look at the conversation itself: begun elsewhere it appears, ended unseen it goes. */
export function rowFromActivity(row: CompactionRow | null, activity: Activity | null): CompactionRow | null {
  if (activity?.kind !== 'compaction') {
    // One that still waits for a reply to end is not in what runs, and stays.
    return row?.state === 'running' || row?.state === 'landed' || isStopped(row) ? null : row;
  }
  const live = isLive(row) ? row : null;
  return {
    ...quiet,
    state: live?.state === 'cancelling' ? 'cancelling' : activity.compactionId === null ? 'requested' : 'running',
    clientRequestId: live?.clientRequestId ?? null,
    compactionId: activity.compactionId,
    acknowledged: true,
    trigger: activity.trigger,
    focus: live?.focus ?? null,
    model: activity.model,
    stage: activity.stage,
    segments: activity.segments ?? live?.segments ?? null,
    reading: live?.reading ?? [],
    attempt: live?.attempt ?? null,
    since: activity.since,
  };
}
