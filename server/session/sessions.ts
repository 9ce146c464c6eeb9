import type { AgentContent } from '@/server/contract/agent';
import type { ContextAnswer } from '@/server/contract/context';
import { AppError } from '@/server/contract/error';
import type { EventDraft } from '@/server/contract/events/event';
import type { Message } from '@/server/contract/message';
import type { MessagesAnswer, MessagesQuery } from '@/server/contract/messages-api';
import type { PromptAnswer } from '@/server/contract/prompt';
import type {
  CreateSession,
  ListSessionsAnswer,
  ListSessionsQuery,
  PatchSession,
  Session,
} from '@/server/contract/session';
import type { Model } from '@/server/contract/shapes';
import { type NewEvent, stampEvents } from '@/server/core/log/new-event';
import { toContextAnswer } from '@/server/core/projection/context-answer';
import { projectFrom, projectMessage, projectPage } from '@/server/core/projection/transcript-window';
import { findLiveForks } from '@/server/core/travel/plan-fork';
import { selectPath } from '@/server/core/travel/select-path';
import type { Clock, Ids } from '@/server/ports/clock';
import type { SearchIndex } from '@/server/ports/search-index';
import type { SessionIndex } from '@/server/ports/session-index';
import type { DismissalStore, DraftStore } from '@/server/ports/stores';
import { defaultAgentId } from './agents';
import type { LoadedSession, SessionWriter } from './append-events';
import type { Library } from './library';
import { listSessions, searchSessions } from './search-sessions';
import { readContext, viewNow } from './session-context';
import { toPromptAnswer } from './session-summary';
import { toSession, type WholeDeps } from './to-session';

export interface SessionsDeps extends WholeDeps {
  readonly writer: SessionWriter;
  readonly index: SessionIndex;
  readonly search: SearchIndex;
  readonly report: (line: string) => void;
  readonly drafts: DraftStore;
  readonly dismissals: DismissalStore;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly agents: Library<AgentContent>;
  readonly app: string;
}

/** Tool outputs longer than this come with their head only in a page; the item itself has the whole. */
const CLIP_BYTES = 32_768;

/** Conversations: made, listed, read, renamed, removed. Throws `not_found` for what is not there or was deleted. */
export interface SessionsUse {
  create(request: CreateSession, owner: string): Promise<Session>;
  list(query: ListSessionsQuery): ListSessionsAnswer;
  /** As `list`, of what is said in them too: rows with `matches`. */
  search(query: ListSessionsQuery): Promise<ListSessionsAnswer>;
  get(id: string): Promise<Session>;
  patch(id: string, change: PatchSession): Promise<Session>;
  /** `conflict` while something runs, and while forks live on its lines unless forced. */
  remove(id: string, by: string, options?: { readonly force?: boolean }): Promise<void>;
  messages(id: string, query: MessagesQuery): Promise<MessagesAnswer>;
  item(id: string, itemId: string): Promise<Message>;
  queue(id: string): Promise<{ readonly messages: readonly Message[] }>;
  context(id: string, full: boolean): Promise<ContextAnswer>;
  prompt(id: string, person: string): Promise<PromptAnswer>;
  dismiss(id: string, hash: string, person: string): Promise<void>;
  draft(id: string, person: string): Promise<{ readonly text: string; readonly updatedAt: string | null }>;
  saveDraft(
    id: string,
    text: string,
    person: string,
  ): Promise<{ readonly text: string; readonly updatedAt: string | null }>;
}

/** Conversations over the writer, the index and the stores beside them. */
export function createSessions(deps: SessionsDeps): SessionsUse {
  const { writer } = deps;
  const { load } = writer;
  return {
    create: async (request, owner) => {
      const agentId = request.agentId ?? defaultAgentId(deps.agents);
      if (agentId !== null && deps.agents.published(agentId, 'latest') === null) {
        throw new AppError('not_found', 'There is no published agent with this id.');
      }
      needKnownModel(deps, request.model ?? null);
      const brought = await takeAlong(request, load);
      const logId = deps.ids.next();
      await writer.create(logId, openingDrafts(deps, { logId, owner, agentId, request, brought }));
      return toSession(deps, await load(logId));
    },
    list: (query) => listSessions(deps.index, query),
    search: (query) => searchSessions(deps, query),
    get: async (id) => toSession(deps, await load(id)),
    patch: async (id, change) => {
      await load(id);
      needKnownModel(deps, change.model ?? null);
      await writer.append(id, () => ({ events: [{ type: 'session.changed', ...change }], result: undefined }));
      return toSession(deps, await load(id));
    },
    remove: async (id, by, { force = false } = {}) => {
      await load(id);
      await writer.append(id, ({ log, session }) => {
        if (session.openTurn || session.openCompaction)
          throw new AppError('conflict', 'Stop what runs in this conversation first.');
        if (!force) refuseWhileForked(findLiveForks(log, id));
        return { events: [{ type: 'session.deleted', by }], result: undefined };
      });
    },
    messages: async (id, { before, after, limit, head }) => {
      const loaded = await load(id);
      const shown = head === undefined ? loaded : selected(loaded, head);
      const page = projectPage(shown.session, shown.log, { before, after, limit, clipBytes: CLIP_BYTES });
      return { ...page, messages: [...page.messages] };
    },
    item: async (id, itemId) => {
      const loaded = await load(id);
      const messageOf = ({ session, log }: LoadedSession) => projectMessage(session, log, itemId);
      const found = messageOf(loaded) ?? messageOf(selected(loaded, itemId));
      if (!found) throw new AppError('not_found', 'There is no such message in this conversation.');
      return found;
    },
    queue: async (id) => {
      const { session, log } = await load(id);
      const waiting = projectFrom(
        session,
        log,
        session.queue.map((message) => message.id),
      );
      return { messages: waiting.filter((message) => message.role === 'user' && message.metadata.queued) };
    },
    context: async (id, full) => {
      const { session } = await load(id);
      const { view, numbers } = viewNow(readContext(deps, session), session);
      return toContextAnswer({ view, state: session, numbers, full });
    },
    prompt: async (id, person) => {
      const { session } = await load(id);
      return toPromptAnswer(deps, session, deps.dismissals.read(id, person));
    },
    dismiss: async (id, hash, person) => {
      await load(id);
      deps.dismissals.write(id, person, hash);
    },
    draft: async (id, person) => {
      await load(id);
      return deps.drafts.read(id, person);
    },
    saveDraft: async (id, text, person) => {
      await load(id);
      deps.drafts.write(id, person, text, deps.clock.now());
      return deps.drafts.read(id, person);
    },
  };
}

/** The conversation at an item, abandoned ones too. */
function selected({ log, session }: LoadedSession, itemId: string): LoadedSession {
  const state = selectPath(log, session.branch, itemId);
  if (state === null) throw new AppError('not_found', 'There is no such message in this conversation.');
  return { log, session: state };
}

function refuseWhileForked(forks: readonly string[]): void {
  if (forks.length === 0) return;
  const text = `Branches of this conversation still use it (${forks.length}). Delete them first, or delete it all the same: they live on.`;
  throw new AppError('conflict', text, { details: { forks } });
}

function needKnownModel(deps: SessionsDeps, model: Model | null): void {
  if (model === null || model.provider === 'auto' || deps.registry.connection(model.provider) !== null) return;
  throw new AppError('unknown_model', `There is no provider called ${model.provider}.`);
}

/** What "Start new" of the behind banner brings along, as events that follow the opening (`ux.md` 8). */
async function takeAlong(
  { from }: CreateSession,
  load: (id: string) => Promise<LoadedSession>,
): Promise<readonly NewEvent[]> {
  if (from === undefined) return [];
  const { session } = await load(from.sessionId);
  const carried = from.carryOvers ? [...session.carryOvers].reverse() : [];
  const events: NewEvent[] = carried.map(({ text, by }) => ({ type: 'carry.marked', text, by }));
  const summary = from.summary ? session.checkpoint?.event.text : undefined;
  if (summary !== undefined) events.push({ type: 'carry.marked', text: summary, by: 'summary' });
  return events;
}

interface Opening {
  readonly logId: string;
  readonly owner: string;
  readonly agentId: string | null;
  readonly request: CreateSession;
  readonly brought: readonly NewEvent[];
}

function openingDrafts(
  deps: SessionsDeps,
  { logId, owner, agentId, request, brought }: Opening,
): readonly EventDraft[] {
  const opened: NewEvent[] = [
    { type: 'log.opened', format: 'tidemark-log', logId, app: deps.app },
    {
      type: 'branch.opened',
      kind: 'root',
      owner,
      agentId,
      title: request.title ?? null,
      model: request.model ?? null,
      settings: request.settings ?? null,
    },
    ...brought,
  ];
  const at = new Date(deps.clock.now()).toISOString();
  return stampEvents(opened, { branch: logId, logId, head: null, at, nextId: deps.ids.next });
}
