import { z } from 'zod';
import type { EventType, StoredEvent } from '@/server/contract/events/event';
import { EVENT_DEFINITIONS } from '@/server/contract/events/event';
import { trailerFor } from './line-checksum';

/** The part of a line that its place in the file decides. */
export interface LinePlace {
  readonly v: number;
  readonly seq: number;
  readonly id: string;
  readonly branch: string;
  readonly at: string;
  readonly type: EventType;
  readonly prev?: number | null;
}

/**
 * One event as its line, newline included (`contract.md` 1): envelope, `prev` after `type`, fields flat in
 * schema order without those that equal their default, checksum last. Promises that `parseLine` of it
 * gives the event back. Length and nesting are the caller's to bound (`prepareDraft`).
 */
export function encodeLine(event: StoredEvent): string {
  return joinLine(event, encodeFields(event.type, { ...event }));
}

/** Puts a place before fields encoded earlier, so that a big event is turned into text only once. */
export function joinLine(place: LinePlace, fields: string): string {
  const { v, seq, id, branch, at, type, prev } = place;
  const link = prev === undefined ? '' : `,"prev":${prev}`;
  const names = `"id":${JSON.stringify(id)},"branch":${JSON.stringify(branch)},"at":${JSON.stringify(at)}`;
  const text = `{"v":${v},"seq":${seq},${names},"type":"${type}"${link}${fields}`;
  return `${text}${trailerFor(text)}\n`;
}

/** `,"name":value` for each field that is written, in schema order; keys outside the schema are left out. */
export function encodeFields(type: EventType, values: Readonly<Record<string, unknown>>): string {
  let text = '';
  for (const [name, schema] of Object.entries(EVENT_DEFINITIONS[type].fields.shape)) {
    const json = JSON.stringify(values[name]);
    if (json === undefined || json === defaultJson(type, name, schema, values)) continue;
    text += `,"${name}":${json}`;
  }
  return text;
}

function defaultJson(
  type: EventType,
  name: string,
  schema: unknown,
  values: Readonly<Record<string, unknown>>,
): string | undefined {
  if (type === 'tool.result' && name === 'viewBytes') return JSON.stringify(values.bytes);
  if (type === 'turn.started' && name === 'chain') return JSON.stringify([values.model]);
  return schema instanceof z.ZodDefault ? JSON.stringify(schema.def.defaultValue) : undefined;
}
