import { type ErrorCode, isErrorCode } from '@/server/contract/error';
import type { StoredEvent } from '@/server/contract/events/event';
import type { Message } from '@/server/contract/message';
import type { StreamEvent } from '@/server/contract/stream';
import { isKnown } from './log-state-path';
import type { Item, LogState, SessionState } from './state-shape';

/** A stream event of one session and the line it shows; `seq` null: ephemeral. */
export interface StreamItem {
  readonly event: StreamEvent;
  readonly seq: number | null;
}

export interface StreamInput {
  readonly log: LogState;
  readonly session: SessionState;
  /** The transcript of `session`, from the first message these lines may have changed on. */
  readonly transcript: readonly Message[];
  /** Lines of this branch to be told, in file order. */
  readonly events: readonly StoredEvent[];
  /** The request that asked for a compaction, where it is known (`contract.md` 16). */
  readonly requestOf: (compactionId: string) => string | null;
}

/**
 * What a reader of the stream is told of these lines, in order (api.md, Events). Messages are shown as they are now,
 * so telling the same lines again later gives the newest state of each: that is what makes a resume idempotent.
 */
export function toStreamItems(input: StreamInput): readonly StreamItem[] {
  const items = input.events.flatMap((event) => {
    const told = [...messagesTouched(input, event), ...changeOf(input, event)];
    return told.map((streamEvent): StreamItem => ({ event: streamEvent, seq: event.seq }));
  });
  return items;
}

function messagesTouched(input: StreamInput, event: StoredEvent): readonly StreamEvent[] {
  const ids = new Set(touchedIds(event, input.session));
  const calls = callsTouched(event);
  return input.transcript
    .filter((message) => ids.has(message.id) || (message.role === 'assistant' && hasCall(message, calls)))
    .map((message) => ({ event: 'chat.message', data: { ...message, sessionId: input.session.branch } }));
}

/** The messages of a transcript that `toStreamItems` may tell of these lines, by id. */
export function idsTouched(events: readonly StoredEvent[], session: SessionState): readonly string[] {
  return events.flatMap((event) => {
    const [callId] = callsTouched(event);
    const caller = callId === undefined ? undefined : session.items.findLast((item) => hasCallPart(item, callId));
    return caller === undefined ? touchedIds(event, session) : [...touchedIds(event, session), caller.id];
  });
}

function hasCallPart({ event }: Item, callId: string): boolean {
  if (event.type !== 'message.assistant') return false;
  return event.parts.some((part) => part.type === 'tool_call' && part.callId === callId);
}

/** Messages whose look a line may have changed, its own first. */
function touchedIds(event: StoredEvent, { checkpoint }: SessionState): readonly string[] {
  switch (event.type) {
    case 'turn.started':
      return event.messageId === null ? [] : [event.messageId];
    case 'view.masked':
      return [event.item];
    case 'view.untrimmed':
      return [event.trimId];
    case 'checkpoint.reverted':
      // The one before it is in force again.
      return checkpoint === null ? [event.checkpointId] : [event.checkpointId, checkpoint.event.id];
    case 'checkpoint.expanded':
    case 'checkpoint.folded':
      return [event.checkpointId];
    case 'checkpoint.committed':
      return event.previous === null ? [event.id] : [event.previous, event.id];
    default:
      return [event.id];
  }
}

function callsTouched(event: StoredEvent): readonly string[] {
  const isOfCall =
    event.type === 'tool.result' ||
    event.type === 'tool.started' ||
    event.type === 'approval.asked' ||
    event.type === 'approval.decided';
  return isOfCall ? [event.callId] : [];
}

function hasCall(message: Message, calls: readonly string[]): boolean {
  return message.parts.some((part) => part.type === 'tool_call' && calls.includes(part.callId));
}

function changeOf(input: StreamInput, event: StoredEvent): readonly StreamEvent[] {
  const sessionId = input.session.branch;
  switch (event.type) {
    case 'turn.started': {
      const { turnId, messageId, model } = event;
      return [{ event: 'chat.turn', data: { sessionId, turnId, state: 'started', messageId, model } }];
    }
    case 'turn.ended':
      return [{ event: 'chat.turn', data: toTurnEnd(sessionId, event) }];
    case 'compaction.started':
      return [{ event: 'chat.compacting', data: toCompacting(input, event) }];
    case 'compaction.ended':
      return [{ event: 'chat.compacted', data: toCompacted(input, event) }];
    case 'plan.set':
      return [{ event: 'chat.plan', data: { sessionId, items: [...event.items], by: event.by } }];
    case 'approval.asked':
      return [toApproval(input, event, 'asked')];
    case 'approval.decided':
      return [toApproval(input, event, event.decision === 'approve' ? 'approved' : 'denied')];
    case 'message.withdrawn':
    case 'queue.ordered':
      return [{ event: 'chat.queue', data: { sessionId, messageIds: input.session.queue.map(({ id }) => id) } }];
    default:
      return [];
  }
}

type TurnData = Extract<StreamEvent, { event: 'chat.turn' }>['data'];
type CompactingData = Extract<StreamEvent, { event: 'chat.compacting' }>['data'];
type CompactedData = Extract<StreamEvent, { event: 'chat.compacted' }>['data'];

function toTurnEnd(sessionId: string, event: StoredEvent<'turn.ended'>): TurnData {
  const { turnId, outcome, code, text, detail } = event;
  if (code === null) return { sessionId, turnId, state: outcome };
  return { sessionId, turnId, state: outcome, error: { code: toErrorCode(code), message: text ?? '', detail } };
}

/** Codes of older releases that are gone from the list read as `internal`. */
const toErrorCode = (code: string): ErrorCode => (isErrorCode(code) ? code : 'internal');

function toCompacting({ session, requestOf }: StreamInput, event: StoredEvent<'compaction.started'>): CompactingData {
  const { compactionId, trigger, chain, at } = event;
  return {
    sessionId: session.branch,
    compactionId,
    trigger,
    model: chain[0] ?? null,
    stage: 'one_shot',
    since: at,
    clientRequestId: requestOf(compactionId),
  };
}

function toCompacted({ session, log }: StreamInput, event: StoredEvent<'compaction.ended'>): CompactedData {
  const { compactionId, outcome, reason, before, after } = event;
  const lines = (log.branches.get(event.branch)?.lines ?? []).map((seq) => log.bySeq.get(seq));
  const known = lines.filter((line) => line !== undefined).filter(isKnown);
  const committed = known.findLast(
    (line) => line.type === 'checkpoint.committed' && line.compactionId === compactionId,
  );
  const attempt = known.findLast((line) => line.type === 'compaction.attempt' && line.compactionId === compactionId);
  return {
    sessionId: session.branch,
    compactionId,
    outcome,
    reason,
    checkpointId: committed?.id ?? null,
    bytesBefore: before,
    bytesAfter: after,
    ...(committed?.type === 'checkpoint.committed' ? { dropped: [...committed.carry.dropped] } : {}),
    ...(attempt?.type === 'compaction.attempt' && outcome !== 'committed' ? { detail: attempt.detail } : {}),
  };
}

type ApprovalState = Extract<StreamEvent, { event: 'chat.approval' }>['data']['state'];

function toApproval(
  { session, log }: StreamInput,
  event: StoredEvent<'approval.asked' | 'approval.decided'>,
  state: ApprovalState,
): StreamEvent {
  const asked = session.path
    .filter(isKnown)
    .findLast((line) => line.type === 'approval.asked' && line.callId === event.callId);
  const turnId = session.openTurn?.turnId ?? session.turns.at(-1)?.turnId ?? log.logId;
  const facts =
    asked?.type === 'approval.asked' ? { name: asked.name, preview: asked.preview } : { name: '', preview: null };
  return { event: 'chat.approval', data: { sessionId: session.branch, turnId, callId: event.callId, ...facts, state } };
}
