import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { routeTable } from './route-table';

interface Node {
  readonly path: string;
  readonly schema: Readonly<Record<string, unknown>>;
}

const objectSchema = z.record(z.string(), z.unknown());

/** Every schema inside a JSON schema, with the path that leads to it. */
function walk({ path, schema }: Node): Node[] {
  const inner = Object.entries(schema).flatMap(([key, value]) => {
    const parts = Array.isArray(value) ? value.map((one, n): [string, unknown] => [`${key}${n}`, one]) : [];
    const named = key === 'properties' ? Object.entries(objectSchema.parse(value)) : [];
    const single: [string, unknown][] = ['items', 'additionalProperties', 'propertyNames'].includes(key)
      ? [[key, value]]
      : [];
    return [...parts, ...named, ...single];
  });
  return [
    { path, schema },
    ...inner.flatMap(([key, value]) => {
      const child = objectSchema.safeParse(value);
      return child.success ? walk({ path: `${path}.${key}`, schema: child.data }) : [];
    }),
  ];
}

const requests = [...routeTable].flatMap(([name, route]) =>
  [route.body, route.query].flatMap((schema) =>
    schema === undefined
      ? []
      : walk({
          path: name,
          schema: objectSchema.parse(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })),
        }),
  ),
);
/** `type` is a list where null is allowed too. */
const ofType = (type: string) => requests.filter(({ schema }) => [schema.type].flat().includes(type));

describe('what a request may hold', () => {
  it('is walked: there are objects, lists, texts and numbers to check', () => {
    for (const type of ['object', 'array', 'string', 'integer', 'number'])
      expect(ofType(type).length).toBeGreaterThan(1);
  });

  it('refuses unknown fields at every depth', () => {
    const open = ofType('object').filter(({ schema }) => {
      const rest = schema.additionalProperties;
      return rest !== false && !(objectSchema.safeParse(rest).success && schema.propertyNames !== undefined);
    });
    expect(open.map(({ path }) => path)).toEqual([]);
  });

  it('bounds every text', () => {
    const closed = ['maxLength', 'pattern', 'enum', 'const'];
    const endless = ofType('string').filter(({ schema }) => !closed.some((key) => key in schema));
    expect(endless.map(({ path }) => path)).toEqual([]);
  });

  it('bounds every list and number', () => {
    const endless = ofType('array').filter(({ schema }) => !('maxItems' in schema));
    const numbers = [...ofType('integer'), ...ofType('number')].filter(
      ({ schema }) => !('maximum' in schema && 'minimum' in schema),
    );
    expect([...endless, ...numbers].map(({ path }) => path)).toEqual([]);
  });
});
