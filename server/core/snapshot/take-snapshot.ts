import type { LogEvent, StoredEvent } from '@/server/contract/events/event';
import type { ScanStart } from '@/server/core/log/scan-log';
import { heldMembers } from '@/server/core/projection/growing-list';
import { GrowingMap } from '@/server/core/projection/growing-map';
import { isKnown, linkOf } from '@/server/core/projection/log-state-path';
import type { BranchState, DamageRange, Item, LogState, SessionState } from '@/server/core/projection/state-shape';
import { LINE_TYPES } from './line-rows';
import type { RowWriter } from './row-writer';
import {
  type BranchSnapshot,
  type ItemSnapshot,
  type SessionSnapshot,
  SNAPSHOT_VERSION,
  type Snapshot,
} from './snapshot-shape';

/** Items of a session that are held at most, however few a summary covers. */
const MOST_ITEMS = 1_500;
/** What a snapshot of a log that is mostly broken would carry along is not worth it. */
const MOST_ODD_LINES = 2_000;
const COMPACTION_LINES = 40;

export interface SnapshotInput {
  readonly log: LogState;
  /** Sessions at their heads that are worth opening at once. */
  readonly sessions: readonly SessionState[];
  readonly place: ScanStart;
  readonly tail: Snapshot['tail'];
  readonly rows: RowWriter;
  /** Damage that no line of the log reports. */
  readonly unreported: readonly DamageRange[];
  /** Where a line that is held stands. */
  readonly placeOf: (seq: number) => { readonly from: number; readonly bytes: number };
}

/** The state of a log as a snapshot; null where it has too much that a snapshot would have to spell out. */
export function takeSnapshot(input: SnapshotInput): Snapshot | null {
  const { log, rows, place, tail } = input;
  const odd = rows.unsorted.size + log.violations.length + log.damage.length + log.repeats.size + log.links.size;
  if (odd > MOST_ODD_LINES) return null;
  const held = new Set<number>();
  const hold = <E extends LogEvent>(event: E): number => {
    held.add(event.seq);
    return event.seq;
  };
  const branches = [...log.branches.values()].map((branch) => toBranch(branch, hold));
  for (const { queue, head } of log.branches.values()) {
    for (const id of queue) holdFound(log.byId.get(id), hold);
    holdFound(log.bySeq.get(head), hold);
  }
  const sessions = input.sessions.map((session) => toSession(log, session, hold));
  return {
    version: SNAPSHOT_VERSION,
    types: LINE_TYPES.join(' '),
    logId: log.logId,
    place,
    tail,
    rows: { count: rows.count, sum: rows.sum },
    newestSeq: log.newestSeq,
    damage: [...log.damage],
    unreported: [...input.unreported],
    ignored: [...log.ignored],
    violations: log.violations.map((violation) => ({ ...violation })),
    repeats: [...log.repeats],
    links: [...log.links],
    placed: placedAmong(log, held),
    newestId: rows.newestId,
    unsorted: [...rows.unsorted],
    codes: [...rows.codes],
    branches,
    sessions,
    held: toRuns(held, input.placeOf),
  };
}

type Hold = <E extends LogEvent>(event: E) => number;

function holdFound(event: LogEvent | undefined, hold: Hold): void {
  if (event) hold(event);
}

const holdOrNull = (event: LogEvent | null, hold: Hold): number | null => (event === null ? null : hold(event));

function toBranch(branch: BranchState, hold: Hold): BranchSnapshot {
  const { id, opened, head, lines, openTurn, parked, openCompaction, ledger } = branch;
  const { fromNewerVersion, newerBranchLine, newerPathLine, deleted, queue, tally } = branch;
  const isLost = opened.seq === 0;
  return {
    ...{ id, head, lines: lines.length, queue: [...queue], tally },
    ...{ fromNewerVersion, newerBranchLine, newerPathLine, deleted },
    opened: isLost ? null : hold(opened),
    openedAt: opened.at,
    owner: opened.owner,
    openTurn: holdOrNull(openTurn, hold),
    parked: holdOrNull(parked, hold),
    openCompaction: holdOrNull(openCompaction, hold),
    ledger: {
      ...ledger,
      standingReverts: ledger.standingReverts.map(hold),
      spent: ledger.spent.map((spent) => ({ ...spent })),
    },
  };
}

function toSession(log: LogState, session: SessionState, hold: Hold): SessionSnapshot {
  const first = findWindow(log, session);
  const path = session.path.slice(first.lines);
  const window = session.items.slice(first.items);
  for (const { event } of window) hold(event);
  const items = new Set(window.map(({ id }) => id));
  const masks = [...heldEntriesOf(session.masks)].filter(([id]) => items.has(id));
  const compactionsFrom = findCompactions(session);
  const { branch, continued, firstPerson, checkpoint, summaries, title, pinned, archived, model, settings, plan } =
    session;
  return {
    branch,
    before: {
      ...first,
      compactions: compactionsFrom,
      masks: session.masks.size - masks.length,
      turn: turnBefore(session, first, hold),
    },
    path: path.map(hold),
    compactions: session.compactions.slice(compactionsFrom).map(hold),
    continued: [...continued],
    firstPerson: firstPerson === null ? null : toItem(firstPerson, hold),
    ...{ summaries, title, pinned, archived, model, settings: settings === null ? null : { ...settings } },
    keptPrompt: holdOrNull(session.keptPrompt, hold),
    checkpoint:
      checkpoint === null
        ? null
        : {
            event: hold(checkpoint.event),
            keep: checkpoint.keep.map((item) => toItem(item, hold)),
            expanded: checkpoint.expanded.map(({ from, through }) => ({ from, through })),
          },
    masks: masks.map(([, mask]) => hold(mask)),
    trims: session.trims.map(hold),
    plan: plan === null ? null : { ...plan, items: [...plan.items] },
    carryOvers: session.carryOvers.map((carry) => ({ ...carry })),
  };
}

interface Window {
  readonly head: number;
  readonly lines: number;
  readonly items: number;
  readonly turns: number;
  readonly turnId: string | null;
}

/**
 * Where the lines that are held begin: at the item the summary in force ends with, but never before what this process
 * itself holds, and at the line that placed an item, since there it is known which turn goes on.
 */
function findWindow(log: LogState, session: SessionState): Window {
  const { items, path, turns, checkpoint } = session;
  const held = heldMembers(items);
  const through = held.members.findLastIndex(({ id }) => id === checkpoint?.event.covers.through);
  const wanted = Math.max(through, items.length - MOST_ITEMS - held.from, 0);
  if (wanted + held.from === 0) return { head: 0, lines: 0, items: 0, turns: 0, turnId: null };
  const lines = heldMembers(path);
  const heldTurns = heldMembers(turns);
  for (let place = wanted; place < held.members.length; place += 1) {
    const item = held.members[place];
    const at = lines.members.findIndex(({ seq }) => seq === item?.point);
    const line = lines.members[at];
    if (!item || !line) continue;
    const before = heldTurns.members.findLastIndex(({ started }) => started.seq < item.point) + 1;
    const counts = { lines: lines.from + at, items: held.from + place, turns: heldTurns.from + before };
    return { head: linkOf(log, line) ?? 0, ...counts, turnId: item.turnId };
  }
  const counts = { lines: path.length, items: items.length, turns: turns.length };
  return { head: session.head, ...counts, turnId: session.turnAtHead };
}

/** The newest turn before the window, as it stood there: it may end within. */
function turnBefore({ turns, path }: SessionState, { turns: count, lines }: Window, hold: Hold) {
  const turn = turns[count - 1];
  if (!turn) return null;
  const first = path.length > lines ? (path[lines]?.seq ?? 0) : Number.POSITIVE_INFINITY;
  const ended = turn.ended !== null && turn.ended.seq < first ? hold(turn.ended) : null;
  return { started: hold(turn.started), ended };
}

/** Those since the newest turn began, one before them, and a few more. */
function findCompactions({ compactions, turns }: SessionState): number {
  const since = turns.at(-1)?.started.seq ?? 0;
  const { from, members } = heldMembers(compactions);
  const older = from + members.findLastIndex(({ seq }) => seq < since);
  return Math.max(0, from, Math.min(older, compactions.length - COMPACTION_LINES));
}

function toItem({ number, point, turnId, event }: Item, hold: Hold): ItemSnapshot {
  return { number, point, turnId, event: hold(event) };
}

function heldEntriesOf(masks: SessionState['masks']): Iterable<readonly [string, StoredEvent<'view.masked'>]> {
  return masks instanceof GrowingMap ? masks.heldEntries() : masks;
}

function placedAmong(log: LogState, held: ReadonlySet<number>): [string, number][] {
  const placed: [string, number][] = [];
  for (const seq of held) {
    const event = log.bySeq.get(seq);
    if (!event || !isKnown(event)) continue;
    const id = event.type === 'message.user' ? event.id : event.type === 'turn.started' ? event.messageId : null;
    const placing = id === null ? undefined : log.placedBy.get(id);
    if (id !== null && placing !== undefined) placed.push([id, placing]);
  }
  return [...new Map(placed)];
}

function toRuns(held: ReadonlySet<number>, placeOf: SnapshotInput['placeOf']): Snapshot['held'] {
  const runs: [number, number, number[]][] = [];
  let next = { seq: -1, from: -1 };
  for (const seq of [...held].sort((a, b) => a - b)) {
    const { from, bytes } = placeOf(seq);
    const run = runs.at(-1);
    if (run && seq === next.seq && from === next.from) run[2].push(bytes);
    else runs.push([seq, from, [bytes]]);
    next = { seq: seq + 1, from: from + bytes + 1 };
  }
  return runs;
}
