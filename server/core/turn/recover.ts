import type { StoredEvent } from '@/server/contract/events/event';
import type { Part } from '@/server/contract/shapes';
import { measureItem } from '@/server/core/budget/measure-item';
import type { NewEvent } from '@/server/core/log/new-event';
import { isKnown } from '@/server/core/projection/log-state-path';
import type { LogState, SessionState } from '@/server/core/projection/state-shape';
import { isBlankReply } from './collect-reply';
import { findOpenBatch, type StoppedCall, stoppedResult } from './step-tools';

/** Text received before the server died, as it was saved outside the log. */
export interface SavedReply {
  readonly messageId: string;
  readonly parts: readonly Part[];
}

export interface RecoverInput {
  readonly log: LogState;
  readonly state: SessionState;
  readonly saved: SavedReply | null;
  /** Why the turn ends, where it is not that the server stopped. */
  readonly because?: { readonly code: string; readonly text: string };
}

/**
 * What recovery at start appends to a branch (T4, `contract.md` 4): results for the open calls of a turn that runs no
 * more, the saved partial reply, the turn's end; and the end of a compaction that was under way. A parked turn and a
 * preview that waits stay as they are. Recovering again appends nothing.
 */
export function recoverBranch(input: RecoverInput): readonly NewEvent[] {
  return [...recoverTurn(input), ...recoverCompaction(input)];
}

/** What ends a turn that waits for a person who stops it instead (`contract.md` 14); nothing where none waits. */
export function cancelParked(state: SessionState): readonly NewEvent[] {
  const { openTurn, parked } = state;
  if (openTurn === null || parked === null) return [];
  const { turnId } = openTurn;
  const steps = countReplies(state, turnId);
  const ended: NewEvent = {
    type: 'turn.ended',
    turnId,
    outcome: 'cancelled',
    code: 'cancelled',
    text: 'Stopped.',
    detail: null,
    steps,
  };
  return [...toResults(state, turnId, { why: 'cancelled' }), ended];
}

function recoverTurn({ state, saved, because }: RecoverInput): readonly NewEvent[] {
  const { openTurn, parked } = state;
  if (openTurn === null || parked !== null) return [];
  const { turnId } = openTurn;
  const what = because === undefined ? undefined : 'was interrupted: the turn ended with an error';
  const results = toResults(state, turnId, { why: 'interrupted', what });
  const spoken = saved === null ? [] : toPartial(state, openTurn, saved);
  const ended: NewEvent = {
    type: 'turn.ended',
    turnId,
    outcome: because === undefined ? 'interrupted' : 'failed',
    ...(because ?? SERVER_STOPPED),
    detail: null,
    steps: countReplies(state, turnId) + spoken.length,
  };
  return [...results, ...spoken, ended];
}

const SERVER_STOPPED = {
  code: 'interrupted',
  text: 'The server stopped while this ran. What came so far is kept.',
} as const;

function countReplies(state: SessionState, turnId: string): number {
  return state.items.filter((item) => item.turnId === turnId && item.event.type === 'message.assistant').length;
}

function toResults(
  state: SessionState,
  turnId: string,
  { why, what }: Pick<StoppedCall, 'why' | 'what'>,
): readonly NewEvent[] {
  const open = findOpenBatch(state, turnId);
  if (open === null) return [];
  const missing = open.calls.filter((call) => !open.answered.includes(call.callId));
  return missing.map(({ callId, name }): NewEvent => {
    const { isError, ...result } = stoppedResult(state, { callId, name, why, what });
    const parts = [...result.parts];
    const sizes = measureItem({ type: 'tool.result', callId, name, parts, isError });
    return { type: 'tool.result', callId, name, parts, isError, why, ms: 0, ...sizes };
  });
}

/** Half a call is no call: only what was said is kept. A reply that was appended already is not said twice. */
function toPartial(
  state: SessionState,
  { model }: StoredEvent<'turn.started'>,
  { messageId, parts }: SavedReply,
): readonly NewEvent[] {
  const said = parts.filter((part) => part.type === 'text' || part.type === 'reasoning');
  const isThere = state.items.some((item) => item.id === messageId);
  if (isThere || isBlankReply({ parts: said })) return [];
  const { bytes } = measureItem({ type: 'message.assistant', parts: said, model, end: 'interrupted' });
  const step = countReplies(state, state.openTurn?.turnId ?? '');
  return [
    { type: 'message.assistant', id: messageId, step, model, parts: [...said], end: 'interrupted', ms: 0, bytes },
  ];
}

/** What ends a compaction that runs no more; nothing where none is open or a preview waits. `reason` where it is known. */
export function recoverCompaction(
  { log, state }: Pick<RecoverInput, 'log' | 'state'>,
  reason = 'interrupted',
): readonly NewEvent[] {
  const { openCompaction } = state;
  if (openCompaction === null) return [];
  const { compactionId, numbers } = openCompaction;
  const waits = state.compactions.some(
    (event) => event.type === 'compaction.previewed' && event.compactionId === compactionId,
  );
  const committed = findCheckpoint(log, compactionId);
  if (committed !== null) {
    const after = committed.bytes;
    return [{ type: 'compaction.ended', compactionId, outcome: 'committed', before: numbers.view, after }];
  }
  if (waits) return [];
  return [{ type: 'compaction.ended', compactionId, outcome: 'failed', reason, before: numbers.view }];
}

/** In the log, whatever the head is: a line that is on disk counts. */
function findCheckpoint(log: LogState, compactionId: string): StoredEvent<'checkpoint.committed'> | null {
  for (let seq = log.newestSeq; seq > 0; seq -= 1) {
    const event = log.bySeq.get(seq);
    if (event === undefined || !isKnown(event)) continue;
    if (event.type === 'checkpoint.committed' && event.compactionId === compactionId) return event;
    if (event.type === 'compaction.started' && event.compactionId === compactionId) return null;
  }
  return null;
}
