import type { ItemEvent, LogEvent, StoredEvent } from '@/server/contract/events/event';
import type { TrimAction } from '@/server/contract/events/view-events';
import type { Model, PlanItem } from '@/server/contract/shapes';
import type { BranchLedger } from './branch-ledger';
import type { GrowingMap } from './growing-map';

/**
 * What replaying a log yields. `LogState` is the whole file, `SessionState` one branch at its head
 * (`contract.md` 2): fold(P events of the path), then fold(B events of the branch).
 */

export interface DamageRange {
  readonly from: number;
  readonly to: number;
  readonly why: string;
}

/** Facts of a branch in file order, whatever its head is. */
export interface BranchState {
  readonly id: string;
  readonly opened: StoredEvent<'branch.opened'>;
  /** `seq` of the P line that ends the path; 0 where damage left none. */
  readonly head: number;
  /** `seq`s of every line of this branch, in file order. */
  readonly lines: readonly number[];
  /** A turn without its `turn.ended`, parked or not. */
  readonly openTurn: StoredEvent<'turn.started'> | null;
  readonly parked: StoredEvent<'turn.parked'> | null;
  readonly openCompaction: StoredEvent<'compaction.started'> | null;
  /** True when the branch holds a line of a newer version: it takes no appends (`contract.md` 1). */
  readonly fromNewerVersion: boolean;
  /** One of its own B lines is from a newer version; unlike one on the path, no revert leaves it behind. */
  readonly newerBranchLine: boolean;
  /** A line of its path is from a newer version. */
  readonly newerPathLine: boolean;
  /** In the trash. */
  readonly deleted: boolean;
  /** Ids of messages neither placed nor withdrawn, in the order they will run. */
  readonly queue: readonly string[];
  /** What its lines add up to, abandoned ones too. */
  readonly ledger: BranchLedger;
  /** What the items of the path at its head are told by without being walked. */
  readonly tally: PathTally;
}

/** Counted line by line: how many items the path has, the id of the first, and of the first that a person wrote. */
export interface PathTally {
  readonly items: number;
  readonly firstItem: string | null;
  readonly firstPerson: string | null;
}

/** A broken rule of `contract.md` section 5, by number and name. `ignored`: the event does not count for state. */
export interface Violation {
  readonly rule: number;
  readonly name: string;
  readonly seq: number;
  readonly eventId: string | null;
  readonly ignored: boolean;
  readonly text: string;
}

export interface LogState {
  readonly logId: string;
  readonly newestSeq: number;
  readonly bySeq: GrowingMap<number, LogEvent>;
  readonly byId: GrowingMap<string, LogEvent>;
  readonly branches: ReadonlyMap<string, BranchState>;
  readonly damage: readonly DamageRange[];
  /** Events that break section 5: reported, ignored for state, still link the path. By event id. */
  readonly ignored: GrowingMap<string, string>;
  /** What replay found against section 5, in file order: ignored events and those that are only reported. */
  readonly violations: readonly Violation[];
  /** `seq` of a line that repeats an id → `seq` of the first line with it, which every reference means. */
  readonly repeats: GrowingMap<number, number>;
  /** Where a line really links to (`prev`, `to`), by its `seq`; only where that differs from what it names. */
  readonly links: GrowingMap<number, number | null>;
  /** Message id → `seq` of the `turn.started` that placed it. */
  readonly placedBy: GrowingMap<string, number>;
  /** `sentKey` of a message a client named → its `seq`: a second sending is answered alike (`contract.md` 4). */
  readonly sent: GrowingMap<string, number>;
}

/** A message by its branch and the id its client gave it. */
export const sentKey = (branch: string, clientMessageId: string): string => `${branch} ${clientMessageId}`;

/** An item on the path. `number` is its 1-based position; `point` the `seq` of the line that placed it. */
export interface Item {
  readonly number: number;
  readonly id: string;
  readonly point: number;
  readonly turnId: string | null;
  readonly event: ItemEvent;
}

export interface CarryOver {
  readonly id: string;
  readonly text: string;
  readonly sourceItem: string | null;
  readonly by: string;
  readonly at: string;
}

/** A turn as it stands on the path. `ended` is null while it runs, is parked, or was cut short by a fork or revert. */
export interface TurnOnPath {
  readonly turnId: string;
  readonly started: StoredEvent<'turn.started'>;
  readonly ended: StoredEvent<'turn.ended'> | null;
}

export interface Plan {
  readonly eventId: string;
  readonly items: readonly PlanItem[];
  /** The call that set it, when a tool did: its visibility decides where the block goes (`contract.md` 9). */
  readonly callId: string | null;
}

/** The checkpoint in force and the parts of it that are shown raw again. */
export interface CheckpointInForce {
  readonly event: StoredEvent<'checkpoint.committed'>;
  /** The covered items that it keeps word for word, in its order. */
  readonly keep: readonly Item[];
  /** Item id ranges, in path order, disjoint. */
  readonly expanded: readonly { readonly from: string; readonly through: string }[];
}

export interface SessionState {
  readonly branch: string;
  readonly opened: StoredEvent<'branch.opened'>;
  readonly head: number;
  /** The P lines of the path, read forwards. */
  readonly path: readonly LogEvent[];
  readonly items: readonly Item[];
  readonly turns: readonly TurnOnPath[];
  /** The turn that the next item of the path would belong to; null outside any. */
  readonly turnAtHead: string | null;
  /** Ids of cut-off replies that a *Continue* turn follows directly (`contract.md` 9). */
  readonly continued: ReadonlySet<string>;
  /** The first item a person wrote; null before one (B3). */
  readonly firstPerson: Item | null;
  /** Summaries on the path, undone ones not counted. */
  readonly summaries: number;
  readonly title: string | null;
  readonly pinned: boolean;
  readonly archived: boolean;
  readonly deleted: boolean;
  readonly model: Model | null;
  readonly settings: Readonly<Record<string, unknown>> | null;
  readonly keptPrompt: StoredEvent<'prompt.kept'> | null;
  readonly checkpoint: CheckpointInForce | null;
  /** By item id. */
  readonly masks: ReadonlyMap<string, StoredEvent<'view.masked'>>;
  /** Trims not lifted, oldest first, and their union: the newest action of a key counts, a drop before any other. */
  readonly trims: readonly StoredEvent<'view.trimmed'>[];
  /** Key: item id, or checkpoint id for a shortened summary. */
  readonly trimActions: ReadonlyMap<string, TrimAction>;
  readonly plan: Plan | null;
  /** In list order: new ones on top. */
  readonly carryOvers: readonly CarryOver[];
  /** Messages not placed and not withdrawn, in the order they will run. */
  readonly queue: readonly StoredEvent<'message.user'>[];
  readonly openTurn: StoredEvent<'turn.started'> | null;
  readonly parked: StoredEvent<'turn.parked'> | null;
  readonly openCompaction: StoredEvent<'compaction.started'> | null;
  /** B events of compactions of this branch, in file order: the ledger. */
  readonly compactions: readonly StoredEvent[];
  readonly fromNewerVersion: boolean;
}

/** A group: one user message, or one assistant message with all results of its calls (`contract.md` 8). */
export interface Group {
  readonly items: readonly Item[];
}
