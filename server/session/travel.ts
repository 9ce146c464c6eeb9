import { AppError } from '@/server/contract/error';
import type { Session, SessionWithChange } from '@/server/contract/session';
import type { NewEvent } from '@/server/core/log/new-event';
import { nameHead } from '@/server/core/projection/find-tips';
import { compareViews } from '@/server/core/travel/compare-views';
import { planExpand, planFold, planUndo } from '@/server/core/travel/plan-checkpoint';
import { planFork } from '@/server/core/travel/plan-fork';
import { planRevert } from '@/server/core/travel/plan-revert';
import { planRollback } from '@/server/core/travel/plan-rollback';
import { planUntrim } from '@/server/core/travel/plan-untrim';
import type { Refused, TravelPlan } from '@/server/core/travel/travel-plan';
import type { Ids } from '@/server/ports/clock';
import { isAboutToRun } from './about-to-run';
import type { LoadedSession, SessionWriter } from './append-events';
import { viewInputNow } from './session-context';
import type { SessionJobs } from './session-jobs';
import { toSession, type WholeDeps } from './to-session';

export interface TravelDeps extends WholeDeps {
  readonly writer: SessionWriter;
  readonly jobs: SessionJobs;
  readonly ids: Ids;
}

interface Where {
  readonly sessionId: string;
  readonly preview?: boolean;
}

interface Named extends Where {
  readonly compactionId: string;
}

interface Part {
  readonly from: string;
  readonly through: string;
}

/**
 * Travel in a conversation (L3, L4, X5): each is one appended reference in the same file, decided purely in `core/travel`.
 * Throws `conflict` where it is not possible as things stand, `not_found` for an item that was never placed here.
 */
export interface TravelUse {
  /** A new conversation at an item, or with null where this one stands now; the answer is the new one. */
  fork(sessionId: string, itemId: string | null): Promise<Session>;
  /** Null: before the first item. */
  revert(sessionId: string, itemId: string | null, by: string): Promise<Session>;
  rollback(sessionId: string, by: string): Promise<Session>;
  /**
   * A summary is named by its compaction or by its own id. The answers say the view's bytes before and after; with `preview`
   * nothing is appended, and the bytes are what they would be.
   */
  undoCompaction(named: Named, by: string): Promise<SessionWithChange>;
  expand(named: Named, part: Part): Promise<SessionWithChange>;
  fold(named: Named, part: Part): Promise<SessionWithChange>;
  undoTrim(named: Where & { readonly trimId: string }): Promise<SessionWithChange>;
}

/** Travel over the writer. */
export function createTravel(deps: TravelDeps): TravelUse {
  const { writer, jobs, ids } = deps;
  const sessionOf = async (sessionId: string) => toSession(deps, await writer.load(sessionId));

  const move = async (sessionId: string, decide: (loaded: LoadedSession) => TravelPlan) => {
    await writer.append(sessionId, (loaded) => {
      if (isAboutToRun(jobs, loaded)) throw new AppError('conflict', 'A reply or compaction is about to begin.');
      return { events: toEvents(decide(loaded)), result: undefined };
    });
    return sessionOf(sessionId);
  };

  const change = async ({ sessionId, preview = false }: Where, decide: (loaded: LoadedSession) => TravelPlan) => {
    const changed = await writer.append(sessionId, (loaded) => {
      const events = toEvents(decide(loaded));
      return { events: preview ? [] : events, result: sizesOf(deps, loaded, events) };
    });
    return { ...(await sessionOf(sessionId)), change: changed };
  };

  return {
    fork: async (sessionId, itemId) => {
      const branch = ids.next();
      await writer.append(sessionId, ({ log, session }) => {
        const planned = planFork(log, session, itemId);
        if (!planned.ok) throw toError(planned);
        return { events: [planned.opened], result: undefined, opens: { branch, head: planned.head } };
      });
      return sessionOf(branch);
    },
    revert: (sessionId, itemId, by) =>
      move(sessionId, ({ log, session }) => planRevert({ log, state: session, itemId, by })),
    rollback: (sessionId, by) => move(sessionId, ({ log, session }) => planRollback(log, session, by)),
    undoCompaction: (named, by) =>
      change(named, ({ session: state }) => planUndo({ state, compactionId: named.compactionId, by })),
    expand: (named, part) =>
      change(named, ({ session: state }) => planExpand({ state, compactionId: named.compactionId, ...part })),
    fold: (named, part) =>
      change(named, ({ session: state }) => planFold({ state, compactionId: named.compactionId, ...part })),
    undoTrim: (named) => change(named, ({ session }) => planUntrim(session, named.trimId)),
  };
}

/** The events of a plan; a refusal is thrown as what it answers. */
export function toEvents(plan: TravelPlan): readonly NewEvent[] {
  if (plan.ok) return plan.events;
  throw toError(plan);
}

function toError({ code, text, details = {} }: Refused): AppError {
  return new AppError(code, text, { details });
}

function sizesOf(
  deps: TravelDeps,
  { log, session }: LoadedSession,
  events: readonly NewEvent[],
): SessionWithChange['change'] {
  const sizes = compareViews({ log, state: session, events, ...viewInputNow(deps, session) });
  return { ...sizes, from: nameHead(log, session.head) };
}
