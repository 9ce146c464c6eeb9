import type { ItemEvent } from '@/server/contract/events/event';
import { isItem } from '@/server/contract/events/event';
import { growingList } from '@/server/core/projection/growing-list';
import { GrowingMap } from '@/server/core/projection/growing-map';
import { isKnown } from '@/server/core/projection/log-state-path';
import { isOfCompaction, standOf } from '@/server/core/projection/session-state';
import { type ItemWalk, stepItems } from '@/server/core/projection/session-state-items';
import { uniteTrims } from '@/server/core/projection/session-state-trims';
import type { CheckpointInForce, Item, LogState, SessionState } from '@/server/core/projection/state-shape';
import type { ColdLog } from './cold-log';
import { ColdPath } from './cold-path';
import type { HeldEvents } from './held-events';
import { codeOfType, ROW_FLAGS } from './line-rows';
import type { ItemSnapshot, SessionSnapshot } from './snapshot-shape';

interface Opening {
  readonly log: LogState;
  readonly held: HeldEvents;
  readonly cold: ColdLog;
}

/** A session as the snapshot has it: its newest lines walked again, everything before them read when it is asked for. */
export function openSession(snapshot: SessionSnapshot, { log, held, cold }: Opening): SessionState {
  const branch = log.branches.get(snapshot.branch);
  if (!branch) throw new RangeError('the snapshot has a session without its branch');
  const { before } = snapshot;
  const start = new ColdPath(cold, before);
  const path = snapshot.path.map((seq) => held.at(seq));
  const walk = walkWindow(snapshot, { start, log, held, path });
  const checkpoint = toCheckpoint(snapshot.checkpoint, held);
  const isWindowItem = new Set(walk.items.slice(before.items).map(({ id }) => id));
  const trims = snapshot.trims.map((seq) => held.of('view.trimmed', seq));
  const compactions = snapshot.compactions.map((seq) => held.at(seq)).filter(isKnown);
  const masks = snapshot.masks.map((seq) => held.of('view.masked', seq)).map((mask) => [mask.item, mask] as const);
  const { title, pinned, archived, model, settings, plan, carryOvers, summaries } = snapshot;
  return {
    branch: branch.id,
    opened: branch.opened,
    head: branch.head,
    path: growingList(start.path, path),
    items: walk.items,
    turns: walk.turns,
    turnAtHead: walk.turnId,
    continued: new Set(snapshot.continued),
    firstPerson: snapshot.firstPerson === null ? null : toItem(snapshot.firstPerson, held),
    ...{ summaries, title, pinned, archived, deleted: branch.deleted, model, settings },
    keptPrompt: held.ofOrNull('prompt.kept', snapshot.keptPrompt),
    checkpoint,
    masks: GrowingMap.over(
      before.masks === 0 ? null : start.masks(before.masks, (id) => isWindowItem.has(id) || id > cold.facts.newestId),
      masks,
    ),
    ...uniteTrims(trims, { items: walk.items, checkpoint }),
    plan,
    carryOvers,
    ...standOf(log, branch),
    compactions: growingList(coldCompactions(cold, snapshot), compactions),
    fromNewerVersion: branch.fromNewerVersion,
  };
}

interface Window {
  readonly start: ColdPath;
  readonly log: LogState;
  readonly held: HeldEvents;
  readonly path: readonly Parameters<typeof isKnown>[0][];
}

function walkWindow({ before }: SessionSnapshot, { start, log, held, path }: Window): ItemWalk {
  const turn = before.turn && {
    turnId: held.of('turn.started', before.turn.started).turnId,
    started: held.of('turn.started', before.turn.started),
    ended: held.ofOrNull('turn.ended', before.turn.ended),
  };
  const turnsBefore = turn === null ? start.turns : { ...start.turns, length: before.turns - 1 };
  let walk: ItemWalk = {
    items: growingList(start.items),
    turns: growingList(turnsBefore, turn === null ? [] : [turn]),
    turnId: before.turnId,
  };
  for (const event of path) if (isKnown(event) && !log.ignored.has(event.id)) walk = stepItems(log, walk, event);
  return walk;
}

function toCheckpoint(snapshot: SessionSnapshot['checkpoint'], held: HeldEvents): CheckpointInForce | null {
  if (snapshot === null) return null;
  const { event, keep, expanded } = snapshot;
  return { event: held.of('checkpoint.committed', event), keep: keep.map((item) => toItem(item, held)), expanded };
}

function toItem({ number, point, turnId, event }: ItemSnapshot, held: HeldEvents): Item {
  const content = held.at(event);
  const item: ItemEvent | null = isItem(content) ? content : null;
  if (item === null) throw new RangeError(`line ${event} is no item`);
  return { number, id: item.id, point, turnId, event: item };
}

/** Lines of the ledger before those that are held: their places are told by the rows, each is read on its own. */
function coldCompactions(cold: ColdLog, { branch, before }: SessionSnapshot) {
  let places: readonly number[] | null = null;
  const find = (): readonly number[] => {
    const rows = cold.source.rows();
    const code = cold.facts.branches.indexOf(branch);
    const found: number[] = [];
    for (let place = 0; place < rows.count && found.length < before.compactions; place += 1) {
      const row = rows.at(place);
      const counts = row.branch === code && (row.flags & ROW_FLAGS.ignored) === 0;
      if (counts && COMPACTION_TYPES.has(row.type)) found.push(place);
    }
    return found;
  };
  return {
    length: before.compactions,
    at: (place: number) => {
      places ??= find();
      const event = cold.eventAt(places[place] ?? -1);
      if (!isKnown(event) || !isOfCompaction(event)) throw new RangeError('a line of the ledger is not where it was');
      return event;
    },
  };
}

const COMPACTION_TYPES: ReadonlySet<number> = new Set(
  (
    [
      'compaction.started',
      'compaction.attempt',
      'compaction.previewed',
      'compaction.ended',
      'staging.planned',
      'staging.mode',
      'staging.map',
      'staging.buffer',
      'staging.reduce',
      'staging.audit',
      'staging.invalidated',
    ] as const
  ).map(codeOfType),
);
