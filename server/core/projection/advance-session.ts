import { classOf, type LogEvent, type StoredEvent } from '@/server/contract/events/event';
import { stepCarryOvers } from '@/server/core/carry-over/list';
import { toPlan } from '@/server/core/plan/fold-plan';
import { withMember } from './growing-list';
import { isKnown, isPathLine, linkOf } from './log-state-path';
import { isOfCompaction, standOf, stepFacts, stepMasks } from './session-state';
import { isContinuable, isPersonItem, stepItems } from './session-state-items';
import { uniteTrims } from './session-state-trims';
import type { BranchState, LogState, SessionState } from './state-shape';

/**
 * The session as it is with one line more of its log, told from the session before it: the work follows the line, not
 * the history (perf-B1). `log` holds the line already; `session` stands at its branch's head before it. Null where the
 * line changes what only a whole fold can tell: a head that jumps, a summary taken back or shown again, a lifted trim.
 * What is answered equals `foldSession(log, session.branch)`.
 */
export function advanceSession(session: SessionState, log: LogState, event: LogEvent): SessionState | null {
  const branch = log.branches.get(session.branch);
  if (!branch) return null;
  // Another branch, a line about the file, one that came before or said an id again: nothing of this session.
  if (event.branch !== session.branch || log.byId.get(event.id) !== event) return session;
  if (!isKnown(event)) return null;
  if (classOf(event) === 'L') return session;
  const isIgnored = log.ignored.has(event.id);
  if (isPathLine(event)) {
    if (linkOf(log, event) !== session.head) return null;
    const onPath = { ...session, ...standOf(log, branch), head: event.seq, path: withMember(session.path, event) };
    return isIgnored ? onPath : stepPath(onPath, log, event);
  }
  if (isIgnored) return session;
  return stepBranchLine({ ...session, ...standOf(log, branch) }, branch, event);
}

function stepBranchLine(session: SessionState, { head }: BranchState, event: StoredEvent): SessionState | null {
  if (event.type === 'head.reverted' || event.type === 'head.restored') return null;
  if (head !== session.head) return null;
  if (isOfCompaction(event)) return { ...session, compactions: withMember(session.compactions, event) };
  return { ...session, ...stepFacts(session, event) };
}

function stepPath(session: SessionState, log: LogState, event: StoredEvent): SessionState | null {
  switch (event.type) {
    case 'checkpoint.reverted':
    case 'checkpoint.expanded':
    case 'checkpoint.folded':
    case 'view.untrimmed':
    case 'branch.opened':
      return null;
    case 'checkpoint.committed':
      return commit(session, event);
    case 'view.masked':
      return { ...session, masks: stepMasks(session.masks, event) };
    case 'view.trimmed': {
      const standing = [...session.trims, event];
      return { ...session, ...uniteTrims(standing, session) };
    }
    case 'prompt.kept':
      return { ...session, keptPrompt: event };
    case 'plan.set':
      return { ...session, plan: toPlan(event) };
    case 'carry.marked':
    case 'carry.edited':
    case 'carry.removed':
    case 'carry.ordered':
      return { ...session, carryOvers: stepCarryOvers(session.carryOvers, event) };
    default:
      return walkOn(session, log, event);
  }
}

/** A checkpoint that covers less than the one before it brings back trims that this session has let go of. */
function commit(session: SessionState, event: StoredEvent<'checkpoint.committed'>): SessionState | null {
  const { items } = session;
  const before = session.checkpoint?.event.covers.through;
  const through = items.findLastIndex(({ id }) => id === event.covers.through || id === before);
  if (items[through]?.id !== event.covers.through) return null;
  const keep = event.keep.flatMap((id) => {
    const item = id === session.firstPerson?.id ? session.firstPerson : items.findLast((one) => one.id === id);
    return item && item.number <= through + 1 ? [item] : [];
  });
  const checkpoint = { event, keep, expanded: [] };
  const trimmed = uniteTrims(session.trims, { items, checkpoint });
  return { ...session, checkpoint, summaries: session.summaries + 1, ...trimmed };
}

function walkOn(session: SessionState, log: LogState, event: StoredEvent): SessionState {
  const { items, turns } = session;
  const walk = stepItems(log, { items, turns, turnId: session.turnAtHead }, event);
  const newest = walk.items === items ? undefined : walk.items.at(-1);
  const firstPerson = session.firstPerson ?? (newest && isPersonItem(newest) ? newest : null);
  const continued = goOn(session, event);
  return { ...session, items: walk.items, turns: walk.turns, turnAtHead: walk.turnId, firstPerson, continued };
}

function goOn({ continued, items }: SessionState, event: StoredEvent): ReadonlySet<string> {
  if (event.type !== 'turn.started' || event.why !== 'continue') return continued;
  const before = items.at(-1);
  return before && isContinuable(before) ? new Set([...continued, before.id]) : continued;
}
