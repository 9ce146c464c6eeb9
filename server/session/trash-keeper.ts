import { judgeRemoval, type PastKeeping } from '@/server/core/trash/judge-removal';
import type { StartTimer } from '@/server/model/stall-guard';
import type { Clock } from '@/server/ports/clock';
import type { SearchIndex } from '@/server/ports/search-index';
import type { SessionIndex } from '@/server/ports/session-index';
import type { LeftoverStore } from '@/server/ports/stores';
import type { SessionWriter } from './append-events';
import { summaryOf } from './session-summary';

export const DAY_MS = 86_400_000;

export interface TrashKeeperDeps {
  readonly writer: Pick<SessionWriter, 'remove'>;
  readonly index: SessionIndex;
  readonly search: SearchIndex;
  readonly leftovers: LeftoverStore;
  readonly clock: Clock;
  readonly startTimer: StartTimer;
  readonly keepDays: () => number;
  readonly report: (line: string) => void;
}

/** Removes for good what has been in the trash for longer than it is kept (`contract.md` 17). */
export interface TrashKeeper {
  /**
   * One round: gives the ids of what went. Each is said by its id; a log that could not be removed is said and stays, and keeps no
   * other. Stopped half-way nothing is unreadable: a log goes first, and a start forgets what was derived from one that is gone.
   */
  sweep(): Promise<readonly string[]>;
  /** A round now, and one a day after its end. */
  start(): void;
  /** No further round; resolves when the one that runs has ended with the log in hand. */
  stop(): Promise<void>;
}

/** Nothing is looked at before it is started. */
export function createTrashKeeper(deps: TrashKeeperDeps): TrashKeeper {
  const { startTimer, report } = deps;
  let isStopped = false;
  let cancelTimer: () => void = () => undefined;
  let round: Promise<unknown> = Promise.resolve();
  const sweep = async () => {
    const gone: string[] = [];
    for (const logId of findCandidates(deps)) {
      if (isStopped) break;
      gone.push(...(await removeLog(deps, logId)));
    }
    return gone;
  };
  const runRound = () => {
    round = sweep()
      .catch((error: unknown) => report(`the trash could not be looked through: ${wordOf(error)}`))
      .then(() => {
        if (!isStopped) cancelTimer = startTimer(DAY_MS, runRound);
      });
  };
  return {
    sweep,
    start: runRound,
    stop: async () => {
      isStopped = true;
      cancelTimer();
      await round;
    },
  };
}

const wordOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Logs whose rows say that all conversations in them are past their time: only those are read. */
function findCandidates({ index, clock, keepDays }: TrashKeeperDeps): readonly string[] {
  const bound = clock.now() - keepDays() * DAY_MS;
  const isPast = new Map<string, boolean>();
  for (const session of index.all()) {
    if (session.kind === 'subagent') continue;
    const deletedAt = session.deleted ? (summaryOf(session)?.deletedAt ?? null) : null;
    const past = deletedAt !== null && Date.parse(deletedAt) < bound;
    isPast.set(session.logId, past && (isPast.get(session.logId) ?? true));
  }
  return [...isPast].flatMap(([logId, past]) => (past ? [logId] : []));
}

/** The log decides, not its rows, and before anybody else decides on it. Drafts go with it, and before it, being no history. */
async function removeLog(deps: TrashKeeperDeps, logId: string): Promise<readonly string[]> {
  const { writer, index, search, leftovers, clock, keepDays, report } = deps;
  let gone: readonly PastKeeping[] = [];
  try {
    const removed = await writer.remove(logId, (log) => {
      const judged = judgeRemoval(log, { now: clock.now(), keepMs: keepDays() * DAY_MS });
      if (!judged.goes) {
        report(`trash: log ${logId} stays, it is ${judged.why}`);
        return false;
      }
      gone = judged.sessions;
      leftovers.remove([...log.branches.keys()]);
      return true;
    });
    if (!removed) return [];
    index.forgetLogs([logId]);
    for (const { sessionId } of gone) search.remove(sessionId);
    search.forgetLog(logId);
    for (const { sessionId, deletedAt } of gone)
      report(`trash: conversation ${sessionId} is removed for good, deleted ${deletedAt}`);
    return gone.map(({ sessionId }) => sessionId);
  } catch (error) {
    report(`trash: log ${logId} could not be removed: ${wordOf(error)}`);
    return [];
  }
}
