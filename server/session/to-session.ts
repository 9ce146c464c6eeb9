import { AppError } from '@/server/contract/error';
import type { Session } from '@/server/contract/session';
import { toContextMeter } from '@/server/core/projection/context-answer';
import { nameHead } from '@/server/core/projection/find-tips';
import { sumCost } from '@/server/core/projection/session-cost';
import { statusOf, sumUsage } from '@/server/core/projection/session-row';
import { foldSession } from '@/server/core/projection/session-state';
import type { SessionState } from '@/server/core/projection/state-shape';
import { countReturns } from '@/server/core/projection/transcript-boundary';
import { findUndoable, hasGoneOnSince } from '@/server/core/travel/plan-rollback';
import { readTurnLedger } from '@/server/core/turn/ledger';
import type { LoadedSession } from './append-events';
import type { CompactionRequests } from './compaction-requests';
import { type ContextDeps, readContext, sessionSettingsOf, viewNow } from './session-context';
import { COMPACT_JOB, type SessionJobs } from './session-jobs';
import { summariseSession } from './session-summary';

/** What no log says about what runs: where a compaction stands in its chain, and the jobs that wait. */
export interface WholeDeps extends ContextDeps {
  readonly requests: Pick<CompactionRequests, 'newestAttempt'>;
  readonly jobs: Pick<SessionJobs, 'pending'>;
}

/** The conversation whole, with its meter (api.md). */
export function toSession(deps: WholeDeps, { session, log }: LoadedSession): Session {
  return {
    ...summariseSession(deps, session, log),
    usage: sumUsage(session, log),
    cost: sumCost(session, log, deps.registry.prices),
    context: toMeter(deps, session),
    settings: sessionSettingsOf(session),
    activity: toActivity(deps, session),
    readOnly: session.fromNewerVersion
      ? { why: 'newer_version', text: 'Written by a newer version of Tidemark: it can be read and exported here.' }
      : null,
    undoable: toUndoable({ session, log }),
    damage: log.damage.map(({ from, to, why }) => ({ from, to, why })),
  };
}

function toUndoable({ session, log }: LoadedSession): Session['undoable'] {
  const undoable = findUndoable(log, session);
  if (undoable === null) return null;
  const { at } = undoable.event;
  const tip = undoable.to === null ? null : nameHead(log, undoable.to);
  if (undoable.what === 'compaction')
    return { what: 'compaction', itemId: null, tip, items: countReturns(log, undoable.event), at };
  const here = new Set(session.items.map(({ id }) => id));
  const there = foldSession(log, session.branch, { head: undoable.to }).items;
  return {
    what: 'revert',
    itemId: there.at(-1)?.id ?? null,
    tip,
    items: there.filter(({ id }) => !here.has(id)).length,
    at,
    wentOn: hasGoneOnSince(session, undoable),
  };
}

function toMeter(deps: ContextDeps, session: SessionState): Session['context'] {
  try {
    const context = readContext(deps, session);
    const { view, numbers } = viewNow(context, session);
    const first = context.choice.chain[context.budget.setBy] ?? context.choice.chain[0];
    const facts = first ? deps.model.describe(first) : null;
    return toContextMeter({
      view,
      numbers,
      basis: isMeasured(session) ? 'measured' : 'estimated',
      windowTokens: facts?.window ?? null,
      windowSource: toWindowSource(facts?.windowFrom ?? null),
      reportedTokens: newestReply(session)?.usage?.input ?? null,
      deferred: readTurnLedger(session).deferred,
    });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return NO_METER;
  }
}

const NO_METER: Session['context'] = {
  budgetBytes: 0,
  roomBytes: 0,
  usedBytes: 0,
  floor: [],
  basis: 'estimated',
  triggerBytes: 0,
  conversation: [],
  windowTokens: null,
  windowSource: 'unknown',
  reportedTokens: null,
  deferred: false,
  floorTooLarge: false,
};

const newestReply = (session: SessionState) => {
  const event = session.items.findLast((item) => item.event.type === 'message.assistant')?.event;
  return event?.type === 'message.assistant' ? event : null;
};

/** The newest reply said what it was charged for, and nothing has been folded since. */
function isMeasured(session: SessionState): boolean {
  const reply = newestReply(session);
  const folded = session.checkpoint?.event.seq ?? 0;
  return reply?.usage?.input != null && reply.seq > folded;
}

function toWindowSource(from: 'set' | 'reported' | 'table' | null): Session['context']['windowSource'] {
  if (from === 'set') return 'chosen';
  if (from === 'reported') return 'reported';
  return from === 'table' ? 'known' : 'unknown';
}

function toActivity({ requests, jobs }: WholeDeps, session: SessionState): Session['activity'] {
  const { openCompaction, openTurn } = session;
  const compactions = jobs.pending(session.branch).filter(({ kind }) => kind === COMPACT_JOB);
  const running = compactions.find(({ state }) => state === 'running');
  if (statusOf(session) === 'compacting' && openCompaction) {
    const { compactionId, at, trigger, chain } = openCompaction;
    const newest = requests.newestAttempt(compactionId);
    return {
      kind: 'compaction',
      compactionId,
      // One within a turn has no job of its own.
      jobId: running?.id ?? null,
      since: at,
      trigger,
      model: newest === null ? (chain[0] ?? null) : newest.model,
      stage: newest?.stage ?? 'one_shot',
      segments: newest?.segments ?? null,
    };
  }
  if (openTurn) return { kind: 'turn', turnId: openTurn.turnId, since: openTurn.at, model: openTurn.model };
  // Behind one that has told its end and is not over yet, too.
  const job = compactions.find(({ state }) => state === 'queued');
  if (job === undefined) return null;
  const since = new Date(job.createdAt).toISOString();
  const asked = {
    compactionId: null,
    jobId: job.id,
    since,
    trigger: 'manual',
    model: null,
    stage: 'one_shot',
  } as const;
  return { kind: 'compaction', ...asked };
}
