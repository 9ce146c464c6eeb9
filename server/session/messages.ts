import { AppError } from '@/server/contract/error';
import type { StoredEvent } from '@/server/contract/events/event';
import type { PostMessage, PostMessageAnswer, QueueEditAnswer } from '@/server/contract/messages-api';
import { measureMessage } from '@/server/core/budget/measure';
import type { NewEvent } from '@/server/core/log/new-event';
import { isKnown } from '@/server/core/projection/log-state-path';
import { type SessionState, sentKey } from '@/server/core/projection/state-shape';
import { planEdit } from '@/server/core/travel/plan-revert';
import type { Ids } from '@/server/ports/clock';
import { isAboutToRun } from './about-to-run';
import type { LoadedSession, SessionWriter } from './append-events';
import type { OwedWork } from './owed-work';
import type { SessionJobs } from './session-jobs';
import { toEvents } from './travel';

export interface MessagesDeps {
  readonly writer: SessionWriter;
  readonly ids: Ids;
  readonly jobs: SessionJobs;
  readonly owed: OwedWork;
}

/** What a person sends and what still waits (`contract.md` 4, 14). */
export interface MessagesUse {
  /** Durable before it resolves (perf-F2); the same client id again appends nothing and answers alike (L7). */
  post(sessionId: string, message: PostMessage, by: string): Promise<PostMessageAnswer>;
  /** A new message takes its place; `conflict` once its turn has begun. */
  edit(sessionId: string, messageId: string, text: string, by: string): Promise<QueueEditAnswer>;
  withdraw(sessionId: string, messageId: string): Promise<void>;
  /** The waiting ids, all of them, in the wanted order. */
  order(sessionId: string, order: readonly string[]): Promise<void>;
  /** Goes on where the path has no finished reply; `nothing_to_do` where it has. */
  continue(sessionId: string): Promise<{ readonly turnId: string }>;
}

/** Messages over the writer and the jobs. */
export function createMessages({ writer, ids, jobs, owed }: MessagesDeps): MessagesUse {
  return {
    post: async (sessionId, message, by) => {
      refuseLater(message);
      const made = { messageId: ids.next(), turnId: ids.next() };
      const { answer, isNew } = await writer.append(sessionId, (loaded) => {
        const known = findSent(loaded, sessionId, message.clientMessageId);
        if (known) {
          // Its first sending may have broken off between the line and the job.
          owed.ask(sessionId, () => jobs.wakeQueue(loaded.session));
          return { events: [], result: { answer: toAnswer(known, loaded.session), isNew: false } };
        }
        const queued = isBusy(loaded.session) || jobs.isBusy(sessionId);
        const text = { text: message.text, clientMessageId: message.clientMessageId, by };
        const events = placeMessage(jobs, loaded, { event: toUserEvent(made, text), after: message.after, by });
        return { events, result: { answer: { ...made, queued }, isNew: true } };
      });
      if (isNew) owed.ask(sessionId, () => jobs.enqueueTurn(sessionId));
      return answer;
    },
    edit: async (sessionId, messageId, text, by) => {
      const made = { messageId: ids.next(), turnId: ids.next() };
      return writer.append(sessionId, ({ session }) => {
        needQueued(session, messageId);
        const order = session.queue.map((message) => (message.id === messageId ? made.messageId : message.id));
        const events: NewEvent[] = [
          { type: 'message.withdrawn', messageId },
          toUserEvent(made, { text, clientMessageId: null, by }),
          { type: 'queue.ordered', messageIds: order },
        ];
        return { events, result: made };
      });
    },
    withdraw: (sessionId, messageId) =>
      writer.append(sessionId, ({ session }) => {
        needQueued(session, messageId);
        return { events: [{ type: 'message.withdrawn', messageId }], result: undefined };
      }),
    order: (sessionId, order) =>
      writer.append(sessionId, ({ session }) => {
        const waiting = session.queue.map((message) => message.id);
        if (waiting.length !== order.length || !order.every((id) => waiting.includes(id))) {
          throw new AppError('conflict', 'The waiting messages have changed meanwhile.', { details: { waiting } });
        }
        return { events: [{ type: 'queue.ordered', messageIds: [...order] }], result: undefined };
      }),
    continue: async (sessionId) => {
      const loaded = await writer.load(sessionId);
      if (!canContinue(loaded.session)) throw new AppError('nothing_to_do', 'The newest message has its reply.');
      // Not whether any job is there: that of a turn that has just ended may still be on its way out (*Try again*).
      if (isBusy(loaded.session) || isAboutToRun(jobs, loaded))
        throw new AppError('conflict', 'A reply or compaction runs already.');
      const turnId = ids.next();
      jobs.enqueueTurn(sessionId, { turnId });
      return { turnId };
    },
  };
}

interface Placing {
  readonly event: NewEvent<'message.user'>;
  readonly after: string | null | undefined;
  readonly by: string;
}

/** With `after` the head moves there in the same batch: an earlier message said in other words (`contract.md` 17). */
function placeMessage(jobs: SessionJobs, loaded: LoadedSession, { event, after, by }: Placing): readonly NewEvent[] {
  if (after === undefined) return [event];
  const { log, session } = loaded;
  if (isAboutToRun(jobs, loaded)) throw new AppError('conflict', 'A reply or compaction is about to begin.');
  return toEvents(planEdit({ log, state: session, itemId: after, by, message: event }));
}

/** Attachments are described in the contract and come with a later release. */
function refuseLater(message: PostMessage): void {
  if ((message.attachments?.length ?? 0) > 0) throw new AppError('invalid_request', 'Attachments cannot be sent yet.');
}

const isBusy = (session: SessionState) =>
  session.openTurn !== null || session.openCompaction !== null || session.queue.length > 0;

/** The path ends without a finished reply: nothing said yet to the newest message, or the reply broke off. */
export function canContinue(session: SessionState): boolean {
  const newest = session.items.at(-1)?.event;
  if (!newest) return false;
  return newest.type !== 'message.assistant' || newest.end !== 'stop';
}

function findSent(
  { log }: LoadedSession,
  sessionId: string,
  clientMessageId: string,
): StoredEvent<'message.user'> | null {
  const event = log.bySeq.get(log.sent.get(sentKey(sessionId, clientMessageId)) ?? 0);
  return event && isKnown(event) && event.type === 'message.user' ? event : null;
}

function toAnswer(event: StoredEvent<'message.user'>, session: SessionState): PostMessageAnswer {
  const queued = session.queue.some((message) => message.id === event.id);
  return { messageId: event.id, turnId: event.turnId ?? event.id, queued };
}

interface Said {
  readonly text: string;
  readonly clientMessageId: string | null;
  readonly by: string;
}

function toUserEvent(
  made: { readonly messageId: string; readonly turnId: string },
  said: Said,
): NewEvent<'message.user'> {
  return {
    id: made.messageId,
    type: 'message.user',
    clientMessageId: said.clientMessageId,
    turnId: made.turnId,
    parts: [{ type: 'text', text: said.text }],
    by: said.by,
    bytes: measureMessage({ role: 'user', parts: [{ type: 'text', text: said.text }] }),
  };
}

function needQueued(session: SessionState, messageId: string): void {
  if (session.queue.some((message) => message.id === messageId)) return;
  throw new AppError('conflict', 'This message does not wait any more: its turn has begun, or it was taken back.');
}
