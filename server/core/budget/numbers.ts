import { FLOOR_LIMIT_RATIO } from './budget';
import type { FloorBytes } from './floor';
import { floorPart } from './floor-part';

export const SUMMARY_ROOM_RATIO = 0.15;
export const SUMMARY_LEAST_BYTES = 1_500;
export const SUMMARY_MOST_BYTES = 32_000;
/** A summary that may not even have this much is not asked for: the trim serves. */
export const SUMMARY_USELESS_BYTES = 600;
export const CARRY_ROOM_RATIO = 0.1;
export const FIRST_MESSAGE_ROOM_RATIO = 0.1;
export const FIRST_MESSAGE_LEAST_BYTES = 400;
export const RESULT_ROOM_RATIO = 0.15;
export const RESULT_LEAST_BYTES = 1_024;
/** The trim never works with less (`contract.md` 7). */
export const LEAST_ROOM_BYTES = 1_000;
export const THRIFTY_LEAST_TRIGGER_BYTES = 32_000;
export const THRIFTY_TAIL_BYTES = 16_000;
export const THRIFTY_TAIL_ITEMS = 20;
export const THRIFTY_TAIL_COMMIT_RATIO = 0.4;
/** Kept messages weigh in the sums for at most this part of the commit budget; more is the trim's business. */
export const KEEP_COMMIT_RATIO = 0.5;

/** The settings that numbers come from (`contract.md` 19). `thriftyTriggerBytes`: h* in bytes, else null. */
export interface NumberSettings {
  readonly preset: 'roomy' | 'thrifty';
  readonly triggerRatio: number;
  readonly tailRatio: number;
  readonly lowMarkRatio: number;
  readonly carryBoundBytes: number;
  readonly resultCapBytes: number;
}

export interface Numbers {
  readonly budgetBytes: number;
  readonly floorBytes: number;
  /** Budget minus floor; negative when the floor alone does not fit. */
  readonly roomBytes: number;
  /** What the trim works with: the room, but never less than 1,000 bytes. */
  readonly trimRoomBytes: number;
  readonly triggerBytes: number;
  /** Commit budget and low mark are one number: what the conversation may take after a cut. */
  readonly commitBytes: number;
  /** Where the trim stops cutting. */
  readonly lowMarkBytes: number;
  readonly carryBoundBytes: number;
  readonly firstMessageCapBytes: number;
  readonly resultCapBytes: number;
  /** The floor is over 85 % of the budget: no compaction is attempted, the parts are named (B2). */
  readonly floorTooLarge: boolean;
}

export interface NumbersInput {
  readonly budgetBytes: number;
  readonly floor: FloorBytes;
  readonly settings: NumberSettings;
  /** Cost-optimal trigger in bytes, for *thrifty* (`thrifty.ts`); null with *roomy*. */
  readonly thriftyTriggerBytes: number | null;
}

/** Every number that a view is held against (`contract.md` 7), in bytes, floored. */
export function planNumbers({ budgetBytes, floor, settings, thriftyTriggerBytes }: NumbersInput): Numbers {
  const floorBytes = floor.promptBytes + floor.toolsBytes + floor.planBytes + floor.carryBytes;
  const roomBytes = budgetBytes - floorBytes;
  const trimRoomBytes = Math.max(roomBytes, LEAST_ROOM_BYTES);
  const trigger = (room: number) => planTrigger({ roomBytes: room, settings, thriftyTriggerBytes });
  const commit = (room: number) => floorPart(trigger(room), settings.lowMarkRatio);
  const beforePlan = budgetBytes - floor.promptBytes - floor.toolsBytes;
  return {
    budgetBytes,
    floorBytes,
    roomBytes,
    trimRoomBytes,
    triggerBytes: trigger(roomBytes),
    commitBytes: commit(roomBytes),
    lowMarkBytes: commit(trimRoomBytes),
    carryBoundBytes: Math.max(0, Math.min(settings.carryBoundBytes, floorPart(beforePlan, CARRY_ROOM_RATIO))),
    firstMessageCapBytes: firstMessageCap(trimRoomBytes),
    resultCapBytes: capFor(roomBytes, settings.resultCapBytes),
    floorTooLarge: floorBytes > floorPart(budgetBytes, FLOOR_LIMIT_RATIO),
  };
}

function planTrigger(input: Pick<NumbersInput, 'settings' | 'thriftyTriggerBytes'> & { roomBytes: number }): number {
  const roomy = floorPart(input.roomBytes, input.settings.triggerRatio);
  if (input.settings.preset === 'roomy' || input.thriftyTriggerBytes === null) return roomy;
  return Math.min(roomy, Math.max(THRIFTY_LEAST_TRIGGER_BYTES, Math.floor(input.thriftyTriggerBytes)));
}

/** Bytes of text that a tool result may show, fixed when it is appended (M4). */
export function capFor(roomBytes: number, settingBytes: number): number {
  return Math.min(settingBytes, Math.max(RESULT_LEAST_BYTES, floorPart(roomBytes, RESULT_ROOM_RATIO)));
}

/** Bytes of text that the first message of a person may show once it is capped (B3). */
export function firstMessageCap(roomBytes: number): number {
  return Math.max(FIRST_MESSAGE_LEAST_BYTES, floorPart(roomBytes, FIRST_MESSAGE_ROOM_RATIO));
}

/** What keep weighs in the sums of a compaction: as shown, for at most half of the commit budget. */
export function weighKeep(keepBytes: number, numbers: Pick<Numbers, 'commitBytes'>): number {
  return Math.min(keepBytes, floorPart(numbers.commitBytes, KEEP_COMMIT_RATIO));
}

/**
 * The summary cap for body and frame, in bytes of the measure; null when it would be under 600: then no compaction
 * starts. `keepBytes` as shown (`weighKeep` is applied here).
 */
export function planSummaryCap(numbers: Numbers, keepBytes: number): number | null {
  const wanted = floorPart(numbers.roomBytes, SUMMARY_ROOM_RATIO);
  const clamped = Math.min(SUMMARY_MOST_BYTES, Math.max(SUMMARY_LEAST_BYTES, wanted));
  const cap = Math.min(clamped, numbers.commitBytes - weighKeep(keepBytes, numbers) - numbers.carryBoundBytes);
  return cap < SUMMARY_USELESS_BYTES ? null : cap;
}

export interface TailBound {
  /** The longest suffix of whole groups up to this is the tail. */
  readonly bytes: number;
  /** If that is empty, the newest group alone is, up to this; else there is no tail (C4). */
  readonly aloneBytes: number;
}

export interface TailInput {
  readonly numbers: Numbers;
  readonly settings: NumberSettings;
  readonly keepBytes: number;
  readonly summaryCapBytes: number;
  /** Bytes of the newest 20 items, for *thrifty*. */
  readonly newestItemsBytes: number;
}

/** How much raw tail an automatic compaction keeps (C2), in bytes. Fixed before the request is made. */
export function planTailBound(input: TailInput): TailBound {
  const { numbers, settings } = input;
  const left =
    numbers.commitBytes - weighKeep(input.keepBytes, numbers) - input.summaryCapBytes - numbers.carryBoundBytes;
  const aloneBytes = Math.max(0, left);
  const wanted =
    settings.preset === 'thrifty'
      ? Math.min(
          Math.max(THRIFTY_TAIL_BYTES, input.newestItemsBytes),
          floorPart(numbers.commitBytes, THRIFTY_TAIL_COMMIT_RATIO),
        )
      : floorPart(numbers.roomBytes, settings.tailRatio);
  return { bytes: Math.max(0, Math.min(wanted, aloneBytes)), aloneBytes };
}
