import { AppError } from '@/server/contract/error';
import type { LogEvent, StoredEvent } from '@/server/contract/events/event';
import { foldCarryOvers } from '@/server/core/carry-over/list';
import { foldPlan } from '@/server/core/plan/fold-plan';
import { isKnown, pathOf, stateLinesOf } from './log-state-path';
import { foldCheckpoints } from './session-state-checkpoint';
import { foldItems } from './session-state-items';
import { foldTrims } from './session-state-trims';
import type { BranchState, LogState, SessionState } from './state-shape';

export interface FoldOptions {
  /** `seq` of the line that ends the path: a selection ("at item k" = the item's point). Default: the branch's head. */
  readonly head?: number;
}

/**
 * The state of one branch: fold(P events of the path), then fold(B events of the branch) (`contract.md` 2). Same
 * log, same answer; events in breach of section 5 are on `path`, not in state. Throws `not_found` for a branch that
 * the log does not have.
 */
export function foldSession(log: LogState, branchId: string, options: FoldOptions = {}): SessionState {
  const branch = log.branches.get(branchId);
  if (!branch) throw new AppError('not_found', 'There is no such conversation in this log.');
  const head = options.head ?? branch.head;
  const path = pathOf(log, branchId, head);
  const lines = path.filter(isKnown).filter((event) => !log.ignored.has(event.id));
  const own = stateLinesOf(log, branch);
  const { items, turns } = foldItems(log, lines);
  const checkpoint = foldCheckpoints(lines, items);
  return {
    branch: branchId,
    opened: branch.opened,
    head,
    path,
    items,
    turns,
    ...foldFacts(branch, own),
    keptPrompt: lines.findLast((event) => event.type === 'prompt.kept') ?? null,
    checkpoint,
    masks: foldMasks(lines),
    ...foldTrims({ lines, items, checkpoint }),
    plan: foldPlan({ lines, own, branch, head }),
    carryOvers: foldCarryOvers(lines),
    queue: branch.queue.flatMap((id) => toMessage(log.byId.get(id))),
    openTurn: branch.openTurn,
    parked: branch.parked,
    openCompaction: branch.openCompaction,
    compactions: own.filter((event) => event.type.startsWith('compaction.') || event.type.startsWith('staging.')),
    fromNewerVersion: branch.newerBranchLine || path.some((event) => !isKnown(event)),
  };
}

type Facts = Pick<SessionState, 'title' | 'pinned' | 'archived' | 'deleted' | 'model' | 'settings'>;

function foldFacts({ opened }: BranchState, own: readonly StoredEvent[]): Facts {
  let facts: Facts = {
    title: opened.title,
    model: opened.model,
    settings: opened.settings,
    pinned: false,
    archived: false,
    deleted: false,
  };
  for (const event of own) {
    if (event.type === 'session.deleted') facts = { ...facts, deleted: true };
    if (event.type === 'session.restored') facts = { ...facts, deleted: false };
    if (event.type === 'session.changed') facts = changeFacts(facts, event);
  }
  return facts;
}

/** Only what the event names changes; null clears. */
function changeFacts(facts: Facts, event: StoredEvent<'session.changed'>): Facts {
  return {
    ...facts,
    title: event.title === undefined ? facts.title : event.title,
    model: event.model === undefined ? facts.model : event.model,
    settings: event.settings === undefined ? facts.settings : event.settings,
    pinned: event.pinned ?? facts.pinned,
    archived: event.archived ?? facts.archived,
  };
}

function foldMasks(lines: readonly StoredEvent[]): ReadonlyMap<string, StoredEvent<'view.masked'>> {
  const masks = new Map<string, StoredEvent<'view.masked'>>();
  for (const event of lines) if (event.type === 'view.masked') masks.set(event.item, event);
  return masks;
}

function toMessage(event: LogEvent | undefined): readonly StoredEvent<'message.user'>[] {
  return event && isKnown(event) && event.type === 'message.user' ? [event] : [];
}
