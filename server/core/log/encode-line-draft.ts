import type { EventDraft, EventType, StoredEvent } from '@/server/contract/events/event';
import { classOf } from '@/server/contract/events/event';
import { idSchema } from '@/server/contract/ids';
import { atSchema } from '@/server/contract/shapes';
import { encodeFields, joinLine } from './encode-line';
import { CURRENT_VERSION, MAX_LINE_BYTES, MAX_NESTING } from './line-limits';
import { nestsDeeperThan } from './line-nesting';
import { fillFields } from './parse-line';

/** A draft that may be appended anywhere: everything but its `seq` and the number behind its `prev`. */
export interface PreparedDraft {
  readonly id: string;
  readonly type: EventType;
  /** `undefined` for lines that are not on the path. */
  readonly prev: EventDraft['prev'];
  /** Upper bound of the line's bytes. */
  readonly bytes: number;
  /** The event and its line at a place. `prev` must be the number that the draft's `prev` names. */
  readonly place: (at: { readonly seq: number; readonly prev: number | null }) => PlacedEvent;
}

export interface PlacedEvent {
  readonly event: StoredEvent;
  readonly line: string;
}

export type Preparation =
  | { readonly kind: 'ready'; readonly draft: PreparedDraft }
  | { readonly kind: 'refused'; readonly why: 'not_valid' | 'too_long' | 'too_deep' };

/** Room for `{"v":1,"seq":…,"prev":…}`, the trailer and the newline. */
const envelopeBytes = 400;

/**
 * Checks a draft against its schema and against what a reader accepts, before anything is written: a line
 * that would be read as damage is refused here, over 64 MiB or nested deeper than 64 (`contract.md` 1).
 */
export function prepareDraft(draft: EventDraft): Preparation {
  const { id, branch, at, type, prev, ...given } = draft;
  const named = idSchema.safeParse(id).success && idSchema.safeParse(branch).success && atSchema.safeParse(at).success;
  const filled = fillFields(type, { ...given });
  if (!named || filled === null) return { kind: 'refused', why: 'not_valid' };
  const fields = toJson(type, filled);
  if (fields === null) return { kind: 'refused', why: 'too_deep' };
  const measured = new TextEncoder().encode(`{${fields.slice(1)}}`);
  const bytes = measured.length + envelopeBytes;
  if (bytes > MAX_LINE_BYTES) return { kind: 'refused', why: 'too_long' };
  if (nestsDeeperThan(measured, MAX_NESTING)) return { kind: 'refused', why: 'too_deep' };

  const onPath = classOf({ type, place: filled.place }) === 'P';
  const place: PreparedDraft['place'] = ({ seq, prev: link }) => {
    const envelope = { v: CURRENT_VERSION, seq, id, branch, at, type, ...(onPath ? { prev: link } : {}) };
    const event = { ...envelope, ...filled };
    if (!hasFilledFields(event)) throw new TypeError(`no such event: ${type}`);
    return { event, line: joinLine(envelope, fields) };
  };
  return { kind: 'ready', draft: { id, type, prev: onPath ? (prev ?? null) : undefined, bytes, place } };
}

/** Null when the value nests so deep that it cannot be written out at all. */
function toJson(type: EventType, values: Readonly<Record<string, unknown>>): string | null {
  try {
    return encodeFields(type, values);
  } catch (thrown) {
    if (thrown instanceof RangeError) return null;
    throw thrown;
  }
}

/** The fields were parsed by the schema of this very type; this only says so to the compiler. */
function hasFilledFields(event: { readonly type: EventType }): event is StoredEvent {
  return event.type.length > 0;
}
