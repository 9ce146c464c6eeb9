import type { EventType, LogEvent, StoredEvent, UnknownEvent } from '@/server/contract/events/event';
import { classOf, EVENT_DEFINITIONS, isEventType } from '@/server/contract/events/event';
import { isRecord } from '@/server/contract/is-record';
import { checkTrailer } from './line-checksum';
import { MAX_LINE_BYTES, MAX_NESTING } from './line-limits';
import { nestsDeeperThan } from './line-nesting';
import { checkQuickly } from './quick-fields';
import type { RawLine } from './upcast';
import { upcast, versionOf } from './upcast';

/** A line is an event, known or of a newer version, or it is damage and says why. */
export type ParsedLine =
  | { readonly kind: 'event'; readonly event: LogEvent }
  | { readonly kind: 'damage'; readonly why: string };

/**
 * Reads one line, given without its newline (L6). Defaults that are not written are filled in, `viewBytes`
 * and `chain` too. A type, field or version this release does not know yields an `UnknownEvent`, never
 * damage. Damage: a checksum that fails or was lost, no JSON object, over 64 MiB, nested deeper than 64.
 * `lineNumber` counts from 1 and is used only by lines that carry no `seq`.
 */
export function parseLine(bytes: Uint8Array, lineNumber: number): ParsedLine {
  if (bytes.length > MAX_LINE_BYTES) return damage('longer than 64 MiB');
  const trailer = checkTrailer(bytes);
  if (trailer === 'bad') return damage('checksum does not match');
  if (nestsDeeperThan(bytes, MAX_NESTING)) return damage('nested deeper than 64');
  const raw = parseObject(bytes);
  if (typeof raw === 'string') return damage(raw);
  if (trailer === 'none' && versionOf(raw) !== 0) return damage('checksum is missing');
  return { kind: 'event', event: toEvent(raw, lineNumber) };
}

function damage(why: string): ParsedLine {
  return { kind: 'damage', why };
}

/** Made once, since making one costs more than a short line; keeps nothing between two calls. */
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** What JSON may have before an object. */
const blanks = [0x20, 0x09, 0x0d];
const brace = 0x7b;

function parseObject(bytes: Uint8Array): RawLine | string {
  // A file that is no log may have a million lines, and an exception costs more than such a line (rel-S22).
  const first = bytes[0] ?? 0;
  if (first !== brace && first < 0x80 && !blanks.includes(first)) return 'not a JSON object';
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch {
    return 'not valid UTF-8';
  }
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : 'not a JSON object';
  } catch {
    return 'not a JSON object';
  }
}

interface KnownEnvelope {
  readonly v: number;
  readonly seq: number;
  readonly id: string;
  readonly branch: string;
  readonly at: string;
  readonly type: EventType;
}

interface LineRest {
  readonly prev: unknown;
  readonly fields: RawLine;
}

function toEvent(raw: RawLine, lineNumber: number): LogEvent {
  const { c: _checksum, v, seq, id, branch, at, type, prev, ...fields } = upcast(raw, lineNumber);
  const known =
    v === 1 &&
    isSeq(seq) &&
    isText(id) &&
    isText(branch) &&
    typeof at === 'string' &&
    typeof type === 'string' &&
    isEventType(type);
  const event = known ? toStored({ v, seq, id, branch, at, type }, { prev, fields }) : null;
  return event ?? toUnknown(raw, lineNumber);
}

function isSeq(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 1;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

/** Null when a field is unknown or has a shape this release cannot read. */
function toStored(envelope: KnownEnvelope, { prev, fields }: LineRest): StoredEvent | null {
  const onPath = classOf({ type: envelope.type, place: fields.place }) === 'P';
  if (onPath ? !(prev === undefined || prev === null || isSeq(prev)) : prev !== undefined) return null;
  const filled = fillFields(envelope.type, fields);
  if (filled === null) return null;
  // Assigned, not spread: this runs for every line of every log that is opened.
  const candidate = Object.assign(envelope, onPath ? { prev: prev ?? null } : null, filled);
  return hasCheckedFields(candidate) ? candidate : null;
}

/** The fields were parsed by the schema of this very type just before; this only says so to the compiler. */
function hasCheckedFields(candidate: { readonly type: EventType }): candidate is StoredEvent {
  return Object.hasOwn(EVENT_DEFINITIONS, candidate.type);
}

/**
 * The fields of one type, checked and complete: defaults of the schema, and the two that depend on another
 * field (`viewBytes` = `bytes`, `chain` = `[model]`, `contract.md` 3). Null when they break the schema.
 */
export function fillFields(type: EventType, fields: RawLine): RawLine | null {
  const filled = checkQuickly(type, fields) ?? checkBySchema(type, fields);
  if (filled === null) return null;
  if (type === 'tool.result') return { ...filled, viewBytes: filled.viewBytes ?? filled.bytes };
  if (type === 'turn.started') return { ...filled, chain: filled.chain ?? [filled.model] };
  return filled;
}

function checkBySchema(type: EventType, fields: RawLine): RawLine | null {
  const parsed = EVENT_DEFINITIONS[type].fields.safeParse(fields);
  return parsed.success ? parsed.data : null;
}

/** Whatever can be told of the envelope is; what cannot gets a stand-in that names the line. */
function toUnknown(raw: RawLine, lineNumber: number): UnknownEvent {
  const { v, seq, id, branch, at, type, prev } = raw;
  return {
    v: typeof v === 'number' ? v : 0,
    seq: isSeq(seq) ? seq : lineNumber,
    id: isText(id) ? id : `line-${lineNumber}`,
    branch: typeof branch === 'string' ? branch : '',
    at: typeof at === 'string' ? at : '',
    type: isText(type) ? type : 'unknown',
    ...(prev === null || isSeq(prev) ? { prev } : {}),
    unknown: true,
    raw,
  };
}
