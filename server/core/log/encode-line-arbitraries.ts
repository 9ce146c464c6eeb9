import fc from 'fast-check';
import { z } from 'zod';
import type { EventType, StoredEvent } from '@/server/contract/events/event';
import { classOf, EVENT_DEFINITIONS, isEventType } from '@/server/contract/events/event';
import { idSchema } from '@/server/contract/ids';
import { sha256Schema } from '@/server/contract/shapes';

/** Events for properties, made from the schemas themselves, so that a new type or field is covered at once. */

const nastyTexts = [
  '\ud800',
  'a\udfff\ud83d',
  '\u0000\u0001',
  'line\u2028and\u2029and\u0085',
  '👩‍👩‍👧‍👦 🏳️‍🌈',
  '{"v":1,"seq":9,"c":"00000000"}',
  ',"c":"1a2b3c4d"}\n{"v":1',
  '\\ud8\\"\n\r\t',
  '\ufeff',
];

const anyText = fc.oneof(
  { weight: 3, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
  { weight: 2, arbitrary: fc.constantFrom(...nastyTexts) },
  {
    weight: 1,
    arbitrary: fc
      .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 12 })
      .map((units) => String.fromCharCode(...units)),
  },
);

export const anyId = fc
  .string({ unit: fc.constantFrom(...'0123456789ABCDEFGHJKMNPQRSTVWXYZ'), minLength: 25, maxLength: 25 })
  .map((text) => `0${text}`);
const anySha256 = fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: 64, maxLength: 64 });
const anyKey = anyText.filter((key) => key !== '__proto__');

/** JSON of any shape; -0 is left out because JSON cannot say it. */
const anyJson = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constant(null),
    fc.boolean(),
    fc.integer().map((value) => value + 0),
    anyText,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(anyKey, tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
})).value;

function anyString(schema: z.ZodString): fc.Arbitrary<string> {
  const least = schema.minLength ?? 0;
  const most = schema.maxLength ?? Number.POSITIVE_INFINITY;
  return anyText.map((text) => text.padEnd(least, 'x').slice(0, most));
}

function anyNumber(schema: z.ZodNumber): fc.Arbitrary<number> {
  const min = Math.max(schema.minValue ?? -1e9, -1e9);
  const max = Math.min(schema.maxValue ?? 1e9, 1e9);
  return fc.integer({ min: Math.ceil(min), max: Math.floor(max) }).map((value) => value + 0);
}

function anyObject(shape: Readonly<Record<string, unknown>>): fc.Arbitrary<Record<string, unknown>> {
  const fields = Object.entries(shape).map(([name, schema]) => anyOf(schema).map((value) => ({ name, value })));
  return fc
    .tuple(...fields)
    .map((pairs) =>
      Object.fromEntries(pairs.filter(({ value }) => value !== undefined).map(({ name, value }) => [name, value])),
    );
}

/** Values a schema accepts. */
function anyOf(schema: unknown): fc.Arbitrary<unknown> {
  if (schema === idSchema) return anyId;
  if (schema === sha256Schema) return anySha256;
  if (schema instanceof z.ZodDefault)
    return fc.oneof(fc.constant(schema.def.defaultValue), anyOf(schema.def.innerType));
  if (schema instanceof z.ZodNullable) return fc.oneof(fc.constant(null), anyOf(schema.def.innerType));
  if (schema instanceof z.ZodOptional) return fc.oneof(fc.constant(undefined), anyOf(schema.def.innerType));
  if (schema instanceof z.ZodString) return anyString(schema);
  if (schema instanceof z.ZodNumber) return anyNumber(schema);
  if (schema instanceof z.ZodBoolean) return fc.boolean();
  if (schema instanceof z.ZodEnum) return fc.constantFrom(...schema.options);
  if (schema instanceof z.ZodLiteral) return fc.constantFrom(...schema.values);
  if (schema instanceof z.ZodArray) return fc.array(anyOf(schema.def.element), { maxLength: 3 });
  if (schema instanceof z.ZodRecord) return fc.dictionary(anyKey, anyJson, { maxKeys: 3, noNullPrototype: true });
  if (schema instanceof z.ZodUnion) return fc.oneof(...schema.def.options.map(anyOf));
  if (schema instanceof z.ZodObject) return anyObject(schema.shape);
  if (schema instanceof z.ZodUnknown) return anyJson;
  throw new TypeError('a schema of a kind these arbitraries do not know');
}

const anyTime = fc.integer({ min: 0, max: 4e12 }).map((ms) => new Date(ms).toISOString());

/** A complete stored event of one type. */
export function anyEventOf(type: EventType): fc.Arbitrary<StoredEvent> {
  return fc
    .record({
      seq: fc.integer({ min: 1, max: 1e9 }),
      id: anyId,
      branch: anyId,
      at: anyTime,
      prev: fc.oneof(fc.constant(null), fc.integer({ min: 1, max: 1e9 })),
      fields: anyObject(EVENT_DEFINITIONS[type].fields.shape),
    })
    .map(({ seq, id, branch, at, prev, fields }) => {
      const filled = fillContextual(type, fields);
      const link = classOf({ type, place: filled.place }) === 'P' ? { prev } : {};
      const event = { v: 1, seq, id, branch, at, type, ...link, ...filled };
      if (!isStored(event)) throw new TypeError(`the arbitrary made no ${type}`);
      return event;
    });
}

function fillContextual(type: EventType, fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  if (type === 'tool.result') return { ...fields, viewBytes: fields.viewBytes ?? fields.bytes };
  if (type === 'turn.started') return { ...fields, chain: fields.chain ?? [fields.model] };
  return fields;
}

function isStored(event: Readonly<Record<string, unknown>> & { readonly type: EventType }): event is StoredEvent {
  const shape = EVENT_DEFINITIONS[event.type].fields.shape;
  const fields = Object.fromEntries(Object.entries(event).filter(([name]) => Object.hasOwn(shape, name)));
  return EVENT_DEFINITIONS[event.type].fields.safeParse(fields).success;
}

export const allTypes: readonly EventType[] = Object.keys(EVENT_DEFINITIONS).filter(isEventType);

export const anyEvent: fc.Arbitrary<StoredEvent> = fc.oneof(...allTypes.map(anyEventOf));

/** A log of arbitrary events with `seq` from 1 and ids that differ. */
export const anyLog: fc.Arbitrary<readonly StoredEvent[]> = fc
  .uniqueArray(anyEvent, { selector: (event) => event.id, minLength: 1, maxLength: 8 })
  .map((events) => events.map((event, index) => ({ ...event, seq: index + 1 })));
