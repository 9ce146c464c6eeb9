import { isRecord } from '@/server/contract/is-record';
import { toJson, utf8Bytes } from '@/server/core/budget/json-bytes';
import { toLeftOutValue } from './view-texts';

const LONG_VALUE_BYTES = 64;

/** Arguments as every protocol wants them: a JSON object. Whatever else a model sent is wrapped (case-B10). */
export function toArgsObject(args: unknown): Readonly<Record<string, unknown>> {
  return isRecord(args) ? args : { value: args ?? null };
}

/**
 * Arguments that must shrink keep their keys and stay valid JSON (B5, case-B10): `strings` replaces string values
 * over 64 bytes, at any depth; `values` replaces every top-level value. From the same arguments, always the same.
 */
export function shortenArgs(args: unknown, how: 'strings' | 'values'): Readonly<Record<string, unknown>> {
  const object = toArgsObject(args);
  if (how === 'strings') return mapValues(object, shortenStrings);
  return mapValues(object, (value) => toLeftOutValue(utf8Bytes(toJson(value))));
}

function shortenStrings(value: unknown): unknown {
  if (typeof value === 'string') {
    const bytes = utf8Bytes(value);
    return bytes > LONG_VALUE_BYTES ? toLeftOutValue(bytes) : value;
  }
  if (Array.isArray(value)) return value.map(shortenStrings);
  return isRecord(value) ? mapValues(value, shortenStrings) : value;
}

function mapValues(object: Readonly<Record<string, unknown>>, map: (value: unknown) => unknown) {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value)]));
}
