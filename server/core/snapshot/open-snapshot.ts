import type { LogEvent } from '@/server/contract/events/event';
import type { ScanStart } from '@/server/core/log/scan-log';
import { growingList } from '@/server/core/projection/growing-list';
import { GrowingMap } from '@/server/core/projection/growing-map';
import { emptyLogState } from '@/server/core/projection/log-state';
import { openLostBranch } from '@/server/core/projection/log-state-branch';
import { isKnown } from '@/server/core/projection/log-state-path';
import {
  type BranchState,
  type DamageRange,
  type LogState,
  type SessionState,
  sentKey,
} from '@/server/core/projection/state-shape';
import { ColdLog, type ColdSource } from './cold-log';
import { HeldEvents } from './held-events';
import { openSession } from './open-session';
import type { RowsBefore } from './row-writer';
import type { BranchSnapshot, Snapshot } from './snapshot-shape';

/** Where the bytes of a line stand in its file. */
export interface LinePlace {
  readonly from: number;
  readonly bytes: number;
}

/** A log as a snapshot has it, to be gone on with from `place`. */
export interface OpenedSnapshot {
  readonly log: LogState;
  readonly sessions: ReadonlyMap<string, SessionState>;
  readonly place: ScanStart;
  readonly rows: RowsBefore;
  readonly unreported: readonly DamageRange[];
  /** Where a line up to `place` stands; without reading anything for those that are held. */
  readonly placeOf: (seq: number) => LinePlace;
}

/**
 * The log and its sessions as they were when the snapshot was taken: what folding the whole file up to `place` says
 * (property test), with nothing of the older lines read. Throws `RangeError` where the log is not what it was.
 */
export function openSnapshot(snapshot: Snapshot, source: ColdSource): OpenedSnapshot {
  const held = new HeldEvents(snapshot.held, source);
  const cold = new ColdLog(source, {
    lines: Math.max(0, snapshot.rows.count - held.events.size),
    newestSeq: snapshot.newestSeq,
    newestId: snapshot.newestId,
    unsorted: new Map(snapshot.unsorted),
    branches: snapshot.codes,
    queued: new Set(snapshot.branches.flatMap(({ queue }) => queue)),
  });
  const events = [...held.events.values()];
  const bare: LogState = {
    logId: snapshot.logId,
    newestSeq: snapshot.newestSeq,
    bySeq: GrowingMap.over(
      cold.bySeq,
      events.map((event) => [event.seq, event] as const),
    ),
    byId: GrowingMap.over(
      cold.byId,
      events.map((event) => [event.id, event] as const),
    ),
    branches: new Map(),
    damage: snapshot.damage,
    ignored: fill(snapshot.ignored),
    violations: snapshot.violations,
    repeats: fill(snapshot.repeats),
    links: fill(snapshot.links),
    placedBy: GrowingMap.over(cold.placedBy, snapshot.placed),
    sent: GrowingMap.over(cold.sent, sentAmong(events)),
  };
  const branches = new Map(snapshot.branches.map((branch) => [branch.id, toBranch(branch, { held, cold })]));
  const log: LogState = { ...bare, branches };
  const sessions = snapshot.sessions.map((session) => openSession(session, { log, held, cold }));
  return {
    log,
    sessions: new Map(sessions.map((session) => [session.branch, session])),
    place: snapshot.place,
    rows: { ...snapshot.rows, newestId: snapshot.newestId, unsorted: snapshot.unsorted, codes: snapshot.codes },
    unreported: snapshot.unreported,
    placeOf: (seq) => held.places.get(seq) ?? findPlace(source, seq),
  };
}

function findPlace(source: ColdSource, seq: number): LinePlace {
  const rows = source.rows();
  return rows.at(rows.find(seq));
}

function sentAmong(events: readonly LogEvent[]): readonly (readonly [string, number])[] {
  return events.flatMap((event) => {
    if (!isKnown(event) || event.type !== 'message.user' || event.place !== 'turn') return [];
    if (event.clientMessageId === null) return [];
    return [[sentKey(event.branch, event.clientMessageId), event.seq] as const];
  });
}

function fill<K, V>(entries: readonly (readonly [K, V])[]): GrowingMap<K, V> {
  let map = GrowingMap.empty<K, V>();
  for (const [key, value] of entries) map = map.with(key, value);
  return map;
}

function toBranch(snapshot: BranchSnapshot, { held, cold }: { held: HeldEvents; cold: ColdLog }): BranchState {
  const { id, opened, openedAt, owner, lines, ledger, openTurn, parked, openCompaction, ...facts } = snapshot;
  const standingReverts = ledger.standingReverts.map((seq) => held.of('head.reverted', seq));
  return {
    ...facts,
    id,
    opened: opened === null ? lostOpening({ id, openedAt, owner }) : held.of('branch.opened', opened),
    lines: growingList(cold.linesOf(id, lines)),
    openTurn: held.ofOrNull('turn.started', openTurn),
    parked: held.ofOrNull('turn.parked', parked),
    openCompaction: held.ofOrNull('compaction.started', openCompaction),
    ledger: { ...ledger, standingReverts },
  };
}

/** What stands in for a first line that is lost, as replay makes it. */
function lostOpening({ id, openedAt, owner }: { id: string; openedAt: string; owner: string }) {
  const first: LogEvent = { v: 1, seq: 0, id, branch: id, at: openedAt, type: '', unknown: true, raw: {} };
  return { ...openLostBranch(emptyLogState(), first).opened, owner };
}
