import type { LogEvent, StoredEvent } from '@/server/contract/events/event';
import { EMPTY_LEDGER } from './branch-ledger';
import type { BranchState, LogState } from './state-shape';

/** The facts of a branch in file order, whatever its head is (`contract.md` 2, "Open" and "Queued"). */

/** A branch with its first line and nothing else. */
export function openBranch(opened: StoredEvent<'branch.opened'>): BranchState {
  return {
    id: opened.branch,
    opened,
    head: 0,
    lines: [],
    openTurn: null,
    parked: null,
    openCompaction: null,
    fromNewerVersion: false,
    newerBranchLine: false,
    newerPathLine: false,
    deleted: false,
    queue: [],
    ledger: EMPTY_LEDGER,
    tally: { items: 0, firstItem: null, firstPerson: null },
  };
}

/**
 * A branch whose `branch.opened` is lost: one damaged line must not cost the session (section 5, 2). What only that
 * line knew is given neutrally; the owner is that of the log, since all its branches have one.
 */
export function openLostBranch(log: LogState, event: LogEvent): BranchState {
  const owner = log.branches.get(log.logId)?.opened.owner ?? '';
  return openBranch({
    v: 1,
    seq: 0,
    id: event.branch,
    branch: event.branch,
    at: event.at,
    type: 'branch.opened',
    prev: null,
    kind: 'root',
    parent: null,
    owner,
    agentId: null,
    title: null,
    model: null,
    settings: null,
    origin: null,
  });
}

/** What a line does to the facts of its branch; head and lines are kept by the caller. */
export function stepBranch(branch: BranchState, event: StoredEvent): BranchState {
  switch (event.type) {
    case 'turn.started':
      return startTurn(branch, event);
    case 'turn.parked':
      return branch.openTurn?.turnId === event.turnId ? { ...branch, parked: event } : branch;
    case 'turn.ended':
      return branch.openTurn?.turnId === event.turnId ? { ...branch, openTurn: null, parked: null } : branch;
    case 'compaction.started':
      return { ...branch, openCompaction: event };
    case 'compaction.ended':
      return branch.openCompaction?.compactionId === event.compactionId ? { ...branch, openCompaction: null } : branch;
    case 'session.deleted':
      return { ...branch, deleted: true };
    case 'session.restored':
      return { ...branch, deleted: false };
    case 'message.user':
      return event.place === 'turn' ? { ...branch, queue: [...branch.queue, event.id] } : branch;
    case 'message.withdrawn':
      return withoutMessage(branch, event.messageId);
    case 'queue.ordered':
      return { ...branch, queue: reorder(branch.queue, event.messageIds) };
    default:
      return branch;
  }
}

/** A resumed approval goes on with the turn that was parked; any other start leaves an older one behind as ended. */
function startTurn(branch: BranchState, event: StoredEvent<'turn.started'>): BranchState {
  if (event.why === 'approval' && event.turnId === branch.openTurn?.turnId) return { ...branch, parked: null };
  const started = { ...branch, openTurn: event, parked: null };
  return event.messageId === null || event.why === 'approval' ? started : withoutMessage(started, event.messageId);
}

function withoutMessage(branch: BranchState, messageId: string): BranchState {
  if (!branch.queue.includes(messageId)) return branch;
  return { ...branch, queue: branch.queue.filter((id) => id !== messageId) };
}

/** The named ones that are queued first, in the order named; the others after them as they were. */
function reorder(queue: readonly string[], named: readonly string[]): readonly string[] {
  const first = [...new Set(named)].filter((id) => queue.includes(id));
  return [...first, ...queue.filter((id) => !first.includes(id))];
}
