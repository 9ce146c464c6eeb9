import type { Message, UserMessage } from '@/server/contract/message';
import type { MessagesAnswer } from '@/server/contract/messages-api';
import type { Activity, Session } from '@/server/contract/session';
import type { ChatApproval, ChatDelta, ChatNotice, ChatTurn, StreamEvent } from '@/server/contract/stream';
import { type CompactionRow, foldCompacted, foldCompacting, rowFromActivity } from './fold-stream-compaction';
import { placeMessage, sameMessage, splicePage } from './fold-stream-order';

/** One part of a reply on its way. For a tool call the text is its arguments as JSON, as far as they came. */
export interface RunningPart {
  readonly kind: ChatDelta['kind'];
  readonly text: string;
  readonly call: ChatDelta['call'];
}

/** The reply that is being written: its parts by index. It is superseded by the durable message of the same id. */
export interface RunningReply {
  readonly turnId: string;
  readonly messageId: string;
  readonly parts: readonly RunningPart[];
}

/** The newest turn, as far as the stream told of it. */
export interface TurnState {
  readonly turnId: string;
  readonly state: ChatTurn['state'];
  readonly model: ChatTurn['model'];
  readonly error: ChatTurn['error'];
  /** Stop was pressed here and the end has not come yet. */
  readonly stopping: boolean;
}

/** A message from this tab that the server has not confirmed yet; it is drawn from the click on. */
export interface OutboxMessage {
  readonly clientMessageId: string;
  readonly text: string;
  readonly at: string;
  /** Something ran when it was sent: it will wait, and is drawn with those that wait. */
  readonly queued: boolean;
}

export interface ChatState {
  readonly sessionId: string;
  /** False until the first page has been read. */
  readonly loaded: boolean;
  /** Transcript order, waiting messages last. Every id stands in it once (case-E06). */
  readonly messages: readonly Message[];
  readonly ids: ReadonlySet<string>;
  readonly hasBefore: boolean;
  readonly running: RunningReply | null;
  readonly turn: TurnState | null;
  readonly compaction: CompactionRow | null;
  readonly outbox: readonly OutboxMessage[];
  readonly notices: readonly ChatNotice[];
  readonly notes: readonly ChatNotice[];
  readonly approvals: ReadonlyMap<string, ChatApproval>;
  readonly headMovedSeq: number;
  /** A piece of a running text is missing: only a new connection brings it again from its start. */
  readonly gap: boolean;
}

export function emptyChat(sessionId: string): ChatState {
  return {
    sessionId,
    loaded: false,
    messages: [],
    ids: new Set(),
    hasBefore: false,
    running: null,
    turn: null,
    compaction: null,
    outbox: [],
    notices: [],
    notes: [],
    approvals: new Map(),
    headMovedSeq: 0,
    gap: false,
  };
}

const keptNotices = 20;

/**
 * What a compaction tells while it runs and the ledger keeps: a summariser that gave nothing (S4), work of an older form
 * that is not used (R5). Shown for a moment beside the transcript; kept apart, so that any number of them hides no notice.
 */
const noteCodes: ReadonlySet<string> = new Set(['summariser_attempt', 'staging_rebuilt']);

function withMessages(state: ChatState, messages: readonly Message[]): ChatState {
  return { ...state, messages, ids: new Set(messages.map((message) => message.id)) };
}

/**
 * A message waits for a moment even where nothing runs before it. Drawn in the transcript from the click, it stays there
 * until its turn places it, instead of jumping to those that wait and back.
 */
function withoutSent(outbox: ChatState['outbox'], message: UserMessage): ChatState['outbox'] {
  const { clientMessageId, queued } = message.metadata;
  return outbox.filter((sent) => sent.clientMessageId !== clientMessageId || (queued && !sent.queued));
}

function foldMessage(state: ChatState, message: Message): ChatState {
  const held = state.ids.has(message.id) ? state.messages.find((other) => other.id === message.id) : undefined;
  const moved = held && sameMessage(held, message) ? state : withMessages(state, placeMessage(state.messages, message));
  const outbox = message.role === 'user' ? withoutSent(moved.outbox, message) : moved.outbox;
  const running = moved.running?.messageId === message.id ? null : moved.running;
  const landed =
    message.role === 'summary' && moved.compaction?.compactionId === message.metadata.compactionId
      ? null
      : moved.compaction;
  if (moved === state && running === state.running && outbox.length === state.outbox.length) return state;
  return { ...moved, running, outbox, compaction: landed };
}

function writePart(part: RunningPart | undefined, delta: ChatDelta): RunningPart | null {
  const held = part?.text ?? '';
  if (delta.offset > held.length) return null;
  const known = delta.offset + delta.text.length <= held.length;
  return {
    kind: delta.kind,
    text: known ? held : held.slice(0, delta.offset) + delta.text,
    call: delta.call ?? part?.call,
  };
}

/** A piece that is already there changes nothing; a piece behind a hole is not drawn, and the hole is remembered. */
function foldDelta(state: ChatState, delta: ChatDelta): ChatState {
  if (state.ids.has(delta.messageId)) return state;
  const same = state.running?.messageId === delta.messageId;
  const parts = same && state.running ? state.running.parts : [];
  const part = delta.part <= parts.length ? writePart(parts[delta.part], delta) : null;
  if (part === null) return state.gap ? state : { ...state, gap: true };
  const held = parts[delta.part];
  if (held && held.text === part.text && held.call?.callId === part.call?.callId) return state;
  const next = [...parts];
  next[delta.part] = part;
  return { ...state, running: { turnId: delta.turnId, messageId: delta.messageId, parts: next } };
}

function foldTurn(state: ChatState, turn: ChatTurn): ChatState {
  const running = turn.state !== 'started' && state.running?.turnId === turn.turnId ? null : state.running;
  const { turnId, model, error } = turn;
  return { ...state, running, turn: { turnId, state: turn.state, model, error, stopping: false } };
}

/** The waiting messages in their new order; those that are missing from it were taken back. */
function foldQueue(state: ChatState, order: readonly string[]): ChatState {
  const waits = (message: Message) => message.role === 'user' && message.metadata.queued;
  const byId = new Map(state.messages.filter(waits).map((message) => [message.id, message]));
  const queued = order.flatMap((id) => byId.get(id) ?? []);
  return withMessages(state, [...state.messages.filter((message) => !waits(message)), ...queued]);
}

/**
 * Brings one event of the stream into the state of its conversation. Pure, and harmless when an event comes twice, late,
 * or for a message that is already durable (contract 16, case-E06). An event of another conversation changes nothing.
 */
export function foldStream(state: ChatState, { event, data }: StreamEvent): ChatState {
  const owner = event === 'session.updated' ? data.id : data.sessionId;
  if (owner !== null && owner !== state.sessionId) return state;
  switch (event) {
    case 'chat.message': {
      // The same message on a page names no session; held as one shape it can be compared.
      const { sessionId: _, ...message } = data;
      return foldMessage(state, message);
    }
    case 'chat.delta':
      return foldDelta(state, data);
    case 'chat.reset':
      return state.running?.messageId === data.messageId ? { ...state, running: null } : state;
    case 'chat.turn':
      return foldTurn(state, data);
    case 'chat.compacting':
      return { ...state, compaction: foldCompacting(state.compaction, data) };
    case 'chat.compacted':
      return { ...state, compaction: foldCompacted(state.compaction, data) };
    case 'chat.approval':
      return { ...state, approvals: new Map(state.approvals).set(data.callId, data) };
    case 'chat.queue':
      return foldQueue(state, data.messageIds);
    case 'chat.notice':
      return noteCodes.has(data.code)
        ? { ...state, notes: [...state.notes, data].slice(-keptNotices) }
        : { ...state, notices: [...state.notices, data].slice(-keptNotices) };
    default:
      return state;
  }
}

/**
 * Brings a page of the transcript in. `newest` is the truth about the end of the conversation: what overlaps is replaced,
 * and where nothing overlaps, or `replace` says that the path moved, all of it is. `before` is put in front.
 */
export function foldPage(
  state: ChatState,
  { page, at, replace = false }: { page: MessagesAnswer; at: 'newest' | 'before'; replace?: boolean },
): ChatState {
  const messages = splicePage(replace ? [] : state.messages, page.messages, at);
  const overlapped = at === 'newest' && messages.length > page.messages.length;
  const next = withMessages(state, messages);
  return {
    ...next,
    loaded: true,
    gap: false,
    hasBefore: overlapped ? state.hasBefore : page.hasBefore,
    outbox: page.messages.reduce<ChatState['outbox']>(
      (outbox, message) => (message.role === 'user' ? withoutSent(outbox, message) : outbox),
      state.outbox,
    ),
    running: state.running && next.ids.has(state.running.messageId) ? null : state.running,
  };
}

function turnFromActivity(state: ChatState, activity: Activity | null): TurnState | null {
  if (activity?.kind === 'turn') {
    if (state.turn?.turnId === activity.turnId && state.turn.state === 'started') return state.turn;
    return { turnId: activity.turnId, state: 'started', model: activity.model, error: undefined, stopping: false };
  }
  // A turn that compacts on its way is not over.
  if (activity?.kind === 'compaction') return state.turn;
  // A turn that ended while nobody was connected: the transcript says how.
  return state.turn?.state === 'started' ? { ...state.turn, state: 'finished', stopping: false } : state.turn;
}

/**
 * What runs, as the conversation itself says it: after a reload, a sleep or a late join the rows and phrases come from
 * here, and a row the server knows nothing of any more goes (ux 7.6; case-E06: right status after a resync).
 */
export function foldSession(state: ChatState, session: Session): ChatState {
  const turn = turnFromActivity(state, session.activity);
  const running = turn?.state === 'started' && turn.turnId === state.running?.turnId ? state.running : null;
  return {
    ...state,
    turn,
    running,
    compaction: rowFromActivity(state.compaction, session.activity),
    headMovedSeq: session.headMovedSeq,
  };
}
