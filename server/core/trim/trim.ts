import type { FieldsOf } from '@/server/contract/events/event';
import type { Model } from '@/server/contract/shapes';
import { LEAST_ROOM_BYTES } from '@/server/core/budget/numbers';
import type { RenderCache } from '@/server/core/projection/model-view-entries';
import type { SessionState } from '@/server/core/projection/state-shape';
import { tallyKinds } from './kinds';
import { capFirstMessage, dropMessages, dropReplies, dropTrips, keepDropsThatPay, stubResults } from './passes';
import { dropSummaryAndKeep, shortenKept, shortenLargest, shortenNewestMessage, shortenSummary } from './passes-last';
import { TrimPlan } from './trim-plan';
import { TrimWork } from './work';

export interface TrimInput {
  readonly state: SessionState;
  /** The model the view is for; as given to the projection. */
  readonly model: Model | null;
  /** Bytes that the conversation may take; never taken to be less than 1,000. */
  readonly roomBytes: number;
  /** Where cutting stops, well below the room (B4). */
  readonly lowMarkBytes: number;
  /** Bytes of text left of the first message of a person, if it is longer (B3). */
  readonly firstMessageCapBytes: number;
  readonly cache?: RenderCache;
}

/** The fields of a `view.trimmed`: only what this trim adds to those in force. Sizes are measures of the conversation. */
export type TrimFields = FieldsOf<'view.trimmed'>;

/**
 * The trim that cannot fail (B3–B5): no model call, and a view that fits, however large one item is. Null when the
 * conversation is within the room already, or when nothing is left to take. Otherwise it cuts once, to the low mark,
 * by what a message is: results become stubs, then whole round trips go, then replies, then messages of a person;
 * last resorts shorten. Exempt while anything else can go: the newest message of a person, the first one (capped),
 * summary, keep, and the batch no model has read yet, without which it would call the same tools again.
 */
export function trim(input: TrimInput): TrimFields | null {
  const room = Math.max(input.roomBytes, LEAST_ROOM_BYTES);
  const work = new TrimWork(input);
  const before = work.bytes;
  if (before <= room) return null;
  const plan = new TrimPlan({ work, roomBytes: room, lowMarkBytes: Math.min(input.lowMarkBytes, room) });
  capFirstMessage(plan, input.firstMessageCapBytes);
  for (const pass of [stubResults, dropTrips, dropReplies, dropMessages]) pass(plan);
  keepDropsThatPay(plan);
  for (const pass of [shortenLargest, shortenSummary]) if (plan.isOverLowMark) pass(plan);
  // What a person wrote is cut only where it would not fit otherwise.
  for (const pass of [shortenKept, shortenNewestMessage, dropSummaryAndKeep]) if (plan.isOverRoom) pass(plan);
  const actions = [...work.addedActions()];
  if (actions.length === 0) return null;
  return { actions, kinds: tallyKinds(work), before, after: work.bytes, room };
}
