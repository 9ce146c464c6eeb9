import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EVENT_DEFINITIONS } from '@/server/contract/events/event';
import { encodeLine } from './encode-line';
import { allTypes, anyEventOf } from './encode-line-arbitraries';
import { checkQuickly } from './quick-fields';

const odd = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    undefined,
    -1,
    1.5,
    -0,
    Number.MAX_SAFE_INTEGER + 1,
    '',
    'x'.repeat(400),
    [],
    {},
    true,
  ),
  fc.constantFrom<unknown>('turn', 'here', 'ran', 'stop', 'person', [null], [{ type: 'text' }], { provider: 'p' }),
  fc.constantFrom<unknown>(
    [{ type: 'text', text: 'a', more: 1 }],
    [{ type: 'tool_call', callId: '', name: 'n', args: 1 }],
  ),
  fc.constantFrom<unknown>([{ type: 'tool_call', callId: 'c', name: 'n' }], { headBytes: 1, tailBytes: -1 }),
);

/** The fields of a line as they come out of it, after something was done to one of them. */
const anyFields = (type: (typeof allTypes)[number]) =>
  fc.tuple(anyEventOf(type), fc.option(fc.tuple(fc.nat(), odd, fc.boolean()))).map(([event, change]) => {
    const {
      v: _v,
      seq: _s,
      id: _i,
      branch: _b,
      at: _a,
      type: _t,
      prev: _p,
      c: _c,
      ...fields
    } = JSON.parse(encodeLine(event));
    if (change === null) return fields;
    const [at, value, isNew] = change;
    const names = Object.keys(fields);
    const name = isNew
      ? ['shade', 'viewBytes', 'simulated', 'cap', '__proto__'][at % 5]
      : names[at % Math.max(1, names.length)];
    if (name !== undefined)
      Object.defineProperty(fields, name, { value, enumerable: true, configurable: true, writable: true });
    return fields;
  });

describe('checking fields by hand', () => {
  it.each(allTypes)('perf-A1, law: gives for %s what the schema gives, or leaves it to the schema', (type) => {
    fc.assert(
      fc.property(anyFields(type), (fields) => {
        const quick = checkQuickly(type, fields);
        if (quick === null) return;
        const parsed = EVENT_DEFINITIONS[type].fields.safeParse(fields);
        expect(parsed.success).toBe(true);
        expect(quick).toEqual(parsed.data);
        expect(Object.keys(quick)).toEqual(Object.keys(parsed.data ?? {}));
      }),
      { numRuns: 150 },
    );
  });

  it('takes the plain lines, which nearly all are', () => {
    const said = { parts: [{ type: 'text', text: 'hi' }], by: 'ada', bytes: 3 };
    expect(checkQuickly('message.user', said)).toMatchObject({ place: 'turn', kind: 'person', turnId: null });
    const result = { callId: 'c', name: 'n', parts: [], ms: 1, bytes: 2 };
    expect(checkQuickly('tool.result', result)).toMatchObject({ why: 'ran', cap: null });
    expect(checkQuickly('tool.result', { ...result, shade: 1 })).toBeNull();
  });
});
