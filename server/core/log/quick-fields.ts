import type { EventType } from '@/server/contract/events/event';
import { ULID_PATTERN } from '@/server/contract/ids';
import { isRecord } from '@/server/contract/is-record';
import type { RawLine } from './upcast';

/**
 * The fields of the types that nearly every line is of, checked by hand: a schema costs more than reading the line does
 * (perf-A1). Promises: what it gives is what the schema gives; whatever is not of the plainest shape is left to the
 * schema, also to say what is wrong with it.
 */

type Check = (value: unknown) => boolean;

interface Field {
  readonly name: string;
  readonly check: Check;
  /** What stands for a field that is not written; absent: it has to be. `undefined` as its value: it stays away. */
  readonly otherwise?: () => unknown;
}

const isCount: Check = (value) => typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
const isId: Check = (value) => typeof value === 'string' && ULID_PATTERN.test(value);
const isText =
  (most: number, least = 0): Check =>
  (value) =>
    typeof value === 'string' && value.length <= most && value.length >= least;
const isOneOf =
  (...words: readonly string[]): Check =>
  (value) =>
    typeof value === 'string' && words.includes(value);
const orNull =
  (check: Check): Check =>
  (value) =>
    value === null || check(value);
const isEmpty: Check = (value) => Array.isArray(value) && value.length === 0;
const isTrue: Check = (value) => typeof value === 'boolean';
const isForeignId = isText(256, 1);

function countKeys(value: object): number {
  let count = 0;
  for (const _name in value) count += 1;
  return count;
}

/** An object of exactly these fields. */
const hasExactly =
  (checks: Readonly<Record<string, Check>>): Check =>
  (value) => {
    if (!isRecord(value)) return false;
    let count = 0;
    for (const name in checks) {
      if (checks[name]?.(value[name]) !== true || !Object.hasOwn(value, name)) return false;
      count += 1;
    }
    return countKeys(value) === count;
  };

const isModel = hasExactly({ provider: isText(200, 1), model: isText(300, 1) });
const isUsage = hasExactly({
  input: orNull(isCount),
  output: orNull(isCount),
  cachedRead: orNull(isCount),
  cachedWrite: orNull(isCount),
  reasoning: orNull(isCount),
});
const isCut = hasExactly({ headBytes: isCount, tailBytes: isCount });
const isSaid = hasExactly({ type: isOneOf('text', 'reasoning'), text: isText(Number.POSITIVE_INFINITY) });
const isCall = hasExactly({
  type: isOneOf('tool_call'),
  callId: isForeignId,
  name: isText(200, 1),
  args: (value) => value !== undefined,
});
const isParts: Check = (value) => Array.isArray(value) && value.every((part) => isSaid(part) || isCall(part));

const needed = (name: string, check: Check): Field => ({ name, check });
const may = (name: string, check: Check, otherwise: () => unknown): Field => ({ name, check, otherwise });
const nullable = (name: string, check: Check): Field => may(name, orNull(check), () => null);
const none = (name: string): Field => may(name, isEmpty, () => []);

const FIELDS: { readonly [T in EventType]?: readonly Field[] } = {
  'message.user': [
    nullable('clientMessageId', isText(200, 1)),
    nullable('turnId', isId),
    needed('parts', isParts),
    needed('by', isText(200)),
    may('place', isOneOf('turn', 'here'), () => 'turn'),
    may('kind', isOneOf('person', 'command', 'injected'), () => 'person'),
    needed('bytes', isCount),
  ],
  'message.assistant': [
    needed('step', isCount),
    needed('model', isModel),
    needed('parts', isParts),
    needed('end', isOneOf('stop', 'tool_calls', 'length', 'refusal', 'cancelled', 'interrupted', 'error')),
    nullable('rawEnd', isText(200)),
    nullable('usage', isUsage),
    needed('ms', isCount),
    none('artifacts'),
    needed('bytes', isCount),
  ],
  'tool.result': [
    needed('callId', isForeignId),
    needed('name', isText(200)),
    needed('parts', isParts),
    may('isError', isTrue, () => false),
    may('why', isOneOf('ran', 'denied', 'cancelled', 'interrupted', 'invalid_arguments', 'unknown_tool'), () => 'ran'),
    none('observed'),
    nullable('cap', isCut),
    needed('ms', isCount),
    needed('bytes', isCount),
    may('viewBytes', isCount, () => undefined),
  ],
  'turn.started': [
    needed('turnId', isId),
    nullable('messageId', isId),
    may('why', isOneOf('message', 'continue', 'approval', 'delegate'), () => 'message'),
    needed('model', isModel),
    needed('promptId', isId),
  ],
  'turn.ended': [
    needed('turnId', isId),
    needed('outcome', isOneOf('finished', 'failed', 'cancelled', 'interrupted')),
    nullable('code', isText(100)),
    nullable('text', isText(2000)),
    may(
      'detail',
      (value) => value === null,
      () => null,
    ),
    needed('steps', isCount),
  ],
};

/** The fields with their defaults, or null: then the schema has to look. */
export function checkQuickly(type: EventType, given: RawLine): Record<string, unknown> | null {
  const fields = FIELDS[type];
  if (fields === undefined) return null;
  const filled: Record<string, unknown> = {};
  let written = 0;
  for (const { name, check, otherwise } of fields) {
    const value = given[name];
    if (value === undefined) {
      if (otherwise === undefined) return null;
      const standIn = otherwise();
      if (standIn !== undefined) filled[name] = standIn;
      continue;
    }
    if (!check(value)) return null;
    filled[name] = value;
    written += 1;
  }
  return written === countKeys(given) ? filled : null;
}
