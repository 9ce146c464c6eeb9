import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonStringBytes, toJson, utf8Bytes } from './json-bytes';

describe('bytes of a JSON string', () => {
  it('perf-C1: counts exactly what JSON.stringify would write, lone surrogates and controls too', () => {
    const unit = fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code));
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit }),
      fc.string({
        unit: fc.constantFrom('"', '\\', '\n', '\u0000', '\ud83d', '\udd25', '🔥', 'é', '\u2028', '\u007f'),
      }),
    );
    fc.assert(fc.property(text, (value) => jsonStringBytes(value) === utf8Bytes(JSON.stringify(value))));
  });

  it('what JSON cannot say is the empty object', () => {
    expect(toJson(undefined)).toBe('{}');
  });
});
