import { AppError } from '@/server/contract/error';
import type { LogEvent, StoredEvent } from '@/server/contract/events/event';
import { foldCarryOvers } from '@/server/core/carry-over/list';
import { foldPlan } from '@/server/core/plan/fold-plan';
import { GrowingMap } from './growing-map';
import { isKnown, pathOf, stateLinesOf } from './log-state-path';
import { foldCheckpoints, foldUndone } from './session-state-checkpoint';
import { foldContinued, foldItems, isPersonItem } from './session-state-items';
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
  const { items, turns, turnId } = foldItems(log, lines);
  const checkpoint = foldCheckpoints(lines, items);
  return {
    branch: branchId,
    opened: branch.opened,
    head,
    path,
    items,
    turns,
    turnAtHead: turnId,
    continued: foldContinued(turns, items),
    firstPerson: items.find(isPersonItem) ?? null,
    summaries: lines.filter(({ type }) => type === 'checkpoint.committed').length - foldUndone(lines).size,
    ...foldFacts(branch, own),
    keptPrompt: lines.findLast((event) => event.type === 'prompt.kept') ?? null,
    checkpoint,
    masks: foldMasks(lines),
    ...foldTrims({ lines, items, checkpoint }),
    plan: foldPlan({ lines, branch, head }),
    carryOvers: foldCarryOvers(lines),
    ...standOf(log, branch),
    compactions: own.filter(isOfCompaction),
    fromNewerVersion: branch.newerBranchLine || path.some((event) => !isKnown(event)),
  };
}

/** What a branch has waiting and open, whatever its head is. */
export function standOf(
  log: LogState,
  branch: BranchState,
): Pick<SessionState, 'queue' | 'openTurn' | 'parked' | 'openCompaction'> {
  const { openTurn, parked, openCompaction } = branch;
  return { queue: branch.queue.flatMap((id) => toMessage(log.byId.get(id))), openTurn, parked, openCompaction };
}

/** A line of the ledger of compactions. */
export function isOfCompaction(event: StoredEvent): boolean {
  return event.type.startsWith('compaction.') || event.type.startsWith('staging.');
}

export type SessionFacts = Pick<SessionState, 'title' | 'pinned' | 'archived' | 'deleted' | 'model' | 'settings'>;

function foldFacts({ opened }: BranchState, own: readonly StoredEvent[]): SessionFacts {
  let facts: SessionFacts = {
    title: opened.title,
    model: opened.model,
    settings: opened.settings,
    pinned: false,
    archived: false,
    deleted: false,
  };
  for (const event of own) facts = stepFacts(facts, event);
  return facts;
}

/** What a line of its branch makes of a session's facts: only what the line names changes, null clears. */
export function stepFacts(facts: SessionFacts, event: StoredEvent): SessionFacts {
  if (event.type === 'session.deleted') return { ...facts, deleted: true };
  if (event.type === 'session.restored') return { ...facts, deleted: false };
  if (event.type !== 'session.changed') return facts;
  return {
    ...facts,
    title: event.title === undefined ? facts.title : event.title,
    model: event.model === undefined ? facts.model : event.model,
    settings: event.settings === undefined ? facts.settings : event.settings,
    pinned: event.pinned ?? facts.pinned,
    archived: event.archived ?? facts.archived,
  };
}

type Masks = GrowingMap<string, StoredEvent<'view.masked'>>;

function foldMasks(lines: readonly StoredEvent[]): Masks {
  let masks: Masks = GrowingMap.empty();
  for (const event of lines) if (event.type === 'view.masked') masks = stepMasks(masks, event);
  return masks;
}

/** The masks with one more; the newest of an item counts. */
export function stepMasks(
  masks: ReadonlyMap<string, StoredEvent<'view.masked'>>,
  event: StoredEvent<'view.masked'>,
): Masks {
  if (masks instanceof GrowingMap && !masks.has(event.item)) return masks.with(event.item, event);
  let all: Masks = GrowingMap.empty<string, StoredEvent<'view.masked'>>().with(event.item, event);
  for (const [item, mask] of masks) all = all.with(item, mask);
  return all;
}

function toMessage(event: LogEvent | undefined): readonly StoredEvent<'message.user'>[] {
  return event && isKnown(event) && event.type === 'message.user' ? [event] : [];
}
