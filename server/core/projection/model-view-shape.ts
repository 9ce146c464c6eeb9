import type { ViewEntry as ContextEntry, FloorPart } from '@/server/contract/context';
import type { ToolSchema } from '@/server/contract/events/view-events';
import type { FloorBytes } from '@/server/core/budget/floor';
import type { ViewMessage } from './view-message';

export type ViewKind = ContextEntry['kind'];

/**
 * Which items a piece of an entry came from (C12): coverage is read here and never counted. `bytes` are the piece's
 * share of the entry's measure, `text` what a person is shown of it.
 */
export interface EntryAccount {
  readonly kind: ViewKind;
  readonly itemIds: readonly string[];
  readonly note: string | null;
  readonly bytes: number;
  readonly text: string;
  readonly callId: string | null;
}

/** One message of a request. A tool entry has an account for each result, a summary one more for its carry-over lines. */
export interface ViewEntry {
  readonly message: ViewMessage;
  readonly accounts: readonly EntryAccount[];
  /** The entry's measure (`contract.md` 7). */
  readonly bytes: number;
  /** Turn of its newest item; null for entries that are no items. */
  readonly turnId: string | null;
}

/** Where the plan block stands, if it is sent: an entry of its own at the end, or inside the newest tool result. */
export interface PlanInView {
  readonly text: string;
  readonly place: 'entry' | 'inside';
}

export interface ModelView {
  readonly system: string;
  readonly tools: readonly ToolSchema[];
  /** In the order of `contract.md` 9, the plan block included. */
  readonly entries: readonly ViewEntry[];
  /** The same without the plan block: what the prefix law speaks of. */
  readonly body: readonly ViewEntry[];
  readonly plan: PlanInView | null;
  readonly floor: FloorBytes;
  readonly floorParts: readonly FloorPart[];
  readonly floorBytes: number;
  /** Everything in the view that is not floor. */
  readonly conversationBytes: number;
  /** Floor and conversation: what the request is held against the budget with. */
  readonly bytes: number;
  /** Index of the first entry of the turn that runs here; null: none runs. */
  readonly turnFrom: number | null;
}
