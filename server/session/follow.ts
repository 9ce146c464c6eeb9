import { formatCursor, parseCursor, parseStreamStarts, type StreamStart } from '@/server/contract/cursor';
import { AppError } from '@/server/contract/error';
import type { StoredEvent } from '@/server/contract/events/event';
import { isKnown } from '@/server/core/projection/log-state-path';
import type { EventBus, Published } from '@/server/ports/event-bus';
import type { LoadedSession, SessionWriter } from './append-events';
import { type PublishDeps, streamItems } from './publish';
import type { RunningText } from './running-text';

export interface FollowDeps extends Pick<PublishDeps, 'requestOf' | 'summarise'> {
  readonly bus: EventBus;
  readonly writer: SessionWriter;
  readonly running: RunningText;
  /** The text of what is told, by what is told: made once, however many watch (perf-F4). One a process. */
  readonly texts: WeakMap<object, string>;
}

/** Where one message of the stream goes; shaped like the writing end of an SSE stream. */
export interface StreamSink {
  /** `json`: the data as text. */
  send(message: { readonly id?: string; readonly event: string; readonly data: unknown }, json: string): boolean;
  drained(): Promise<void>;
  isOpen(): boolean;
  close(): void;
}

export interface FollowRequest {
  /** The `sessions` of the query, unparsed; null: every session's `session.updated` only. */
  readonly sessions: string | null;
  readonly lastEventId: string | null;
}

export interface Followed {
  /** Null: all sessions, `session.updated` only. */
  readonly starts: readonly StreamStart[] | null;
}

/**
 * Reads where a stream starts (`contract.md` 16). Throws `invalid_request` for what is no cursor and for one from the
 * future, `not_found` for a session that is not the caller's: nothing of anybody else is ever told (rel-R6).
 */
export async function planFollow(deps: FollowDeps, request: FollowRequest): Promise<Followed> {
  if (request.sessions === null) return { starts: null };
  const starts = parseStreamStarts(request.sessions);
  if (starts === null) throw new AppError('invalid_request', 'sessions: a list of ids, each with an optional @seq.');
  const last = request.lastEventId === null ? null : parseCursor(request.lastEventId);
  if (request.lastEventId !== null && last === null)
    throw new AppError('invalid_request', 'Last-Event-ID is no cursor of this stream.');
  if (last !== null && !starts.some((start) => start.sessionId === last.sessionId)) {
    throw new AppError('invalid_request', 'Last-Event-ID names a conversation that is not followed.');
  }
  const moved = starts.map((start) => resume(start, last));
  for (const start of moved) await refuseFuture(deps, start);
  return { starts: moved };
}

/** On a reconnect the named session resumes there; every other is told only how far it is. */
function resume(start: StreamStart, last: { readonly sessionId: string; readonly seq: number } | null): StreamStart {
  if (last === null) return start;
  return { sessionId: start.sessionId, after: start.sessionId === last.sessionId ? last.seq : null };
}

async function refuseFuture(deps: FollowDeps, { sessionId, after }: StreamStart): Promise<void> {
  const { log } = await deps.writer.load(sessionId);
  if (after !== null && after > log.newestSeq)
    throw new AppError('invalid_request', 'The cursor is from the future of this conversation.');
}

/**
 * Carries a stream: what was missed since each start, the text so far of what runs, then everything as it happens.
 * Durable messages come in the order of the log, each line once; a sink that ends is left at once.
 */
export function follow(deps: FollowDeps, { starts }: Followed, sink: StreamSink): () => void {
  const wanted = starts === null ? null : new Set(starts.map((start) => start.sessionId));
  const held: Published[] = [];
  let live = false;
  // Of a session that is not followed only the row is told, without an id: nobody could resume after it here.
  const tell = (published: Published) =>
    send({ deps, sink }, wanted?.has(published.sessionId ?? '') ? published : { ...published, seq: null });
  const unsubscribe = deps.bus.subscribe((published) => {
    if (!isWanted(published, wanted)) return;
    if (live) tell(published);
    else held.push(published);
  });
  const catchUp = async () => {
    const told = new Map<string, number>();
    for (const start of starts ?? []) told.set(start.sessionId, await tellMissed(deps, start, sink));
    for (const published of held.splice(0)) {
      const { sessionId, seq } = published;
      // A line that was appended while this stream caught up was read with the others.
      if (sessionId === null || seq === null || seq > (told.get(sessionId) ?? 0)) tell(published);
    }
    live = true;
  };
  catchUp().catch(() => sink.close());
  return unsubscribe;
}

function isWanted({ event, sessionId }: Published, wanted: ReadonlySet<string> | null): boolean {
  if (sessionId === null || event.event === 'session.updated') return true;
  return wanted?.has(sessionId) ?? false;
}

/** The last message of a line alone carries its id: a break within the line then loses nothing of it. */
function send({ deps, sink }: Telling, { event, sessionId, seq, moreOfLine = false }: Published): void {
  const id = sessionId === null || seq === null || moreOfLine ? {} : { id: formatCursor({ sessionId, seq }) };
  const json = deps.texts.get(event.data) ?? JSON.stringify(event.data);
  deps.texts.set(event.data, json);
  sink.send({ ...id, event: event.event, data: event.data }, json);
}

interface Telling {
  readonly deps: Pick<FollowDeps, 'texts'>;
  readonly sink: StreamSink;
}

/** Gives the line up to which everything was told; 0 where the start was now, without a look back. */
async function tellMissed(deps: FollowDeps, { sessionId, after }: StreamStart, sink: StreamSink): Promise<number> {
  const loaded = await deps.writer.load(sessionId);
  if (after !== null) {
    const events = linesAfter(loaded, sessionId, after);
    for (const item of streamItems(deps, { ...loaded, events })) {
      send({ deps, sink }, item);
      if (!sink.isOpen()) return loaded.log.newestSeq;
      await sink.drained();
    }
  }
  const summary = deps.summarise(loaded.session, loaded.log);
  send(
    { deps, sink },
    {
      event: { event: 'session.updated', data: summary },
      sessionId,
      seq: after === null ? null : summary.headSeq,
    },
  );
  for (const data of deps.running.soFar(sessionId))
    send({ deps, sink }, { event: { event: 'chat.delta', data }, sessionId, seq: null });
  return after === null ? 0 : loaded.log.newestSeq;
}

function linesAfter({ log }: LoadedSession, sessionId: string, after: number): readonly StoredEvent[] {
  return (log.branches.get(sessionId)?.lines ?? []).flatMap((seq) => {
    const event = seq > after ? log.bySeq.get(seq) : undefined;
    return event && isKnown(event) && !log.ignored.has(event.id) ? [event] : [];
  });
}
