import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AppError } from '@/server/contract/error';
import { measureJsonDepth, parseJsonBody, readBody, readJsonBody, streamBody } from './read-body';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

const post = (body: BodyInit | ReadableStream<Uint8Array>, headers: Readonly<Record<string, string>> = {}): Request => {
  const init: RequestInit & { duplex: 'half' } = { method: 'POST', body, headers, duplex: 'half' };
  return new Request('http://tidemark.test/', init);
};

const pieces = (...sizes: readonly number[]): ReadableStream<Uint8Array> =>
  new ReadableStream({
    start(controller) {
      for (const size of sizes) controller.enqueue(new Uint8Array(size));
      controller.close();
    },
  });

const codeOf = async (act: () => unknown): Promise<string> => {
  try {
    await act();
    return 'ok';
  } catch (error) {
    return error instanceof AppError ? error.code : String(error);
  }
};

describe('rel-X21: exact or refused', () => {
  it('takes a body up to the byte of its limit, in whatever pieces', async () => {
    expect(await readBody(post(pieces(40, 60)), 100)).toHaveLength(100);
    expect(await readBody(post(pieces()), 100)).toHaveLength(0);
    expect(await codeOf(() => readBody(post(pieces(40, 61)), 100))).toBe('payload_too_large');
  });

  it('refuses by the declared length before a byte is read', async () => {
    const request = post(pieces(1), { 'content-length': '101' });
    expect(await codeOf(() => readBody(request, 100))).toBe('payload_too_large');
    expect(request.bodyUsed).toBe(false);
  });

  it('a body that breaks off is refused, never taken for a whole one', async () => {
    const broken = new ReadableStream<Uint8Array>({
      pull(controller) {
        controller.error(new TypeError('terminated'));
      },
    });
    expect(await codeOf(() => readBody(post(broken), 100))).toBe('invalid_request');
  });

  it('a consumer that stops early lets the sender go', async () => {
    let cancelled = false;
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new Uint8Array(10)),
      cancel: () => {
        cancelled = true;
      },
    });
    for await (const piece of streamBody(post(endless), 1_000)) {
      expect(piece).toHaveLength(10);
      break;
    }
    expect(cancelled).toBe(true);
  });
});

describe('JSON from outside', () => {
  const nest = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`;

  it('is taken 64 deep and refused 65 deep, before it is parsed', async () => {
    expect(parseJsonBody(bytesOf(nest(64)))).toBeInstanceOf(Array);
    expect(await codeOf(() => parseJsonBody(bytesOf(nest(65))))).toBe('invalid_request');
    expect(await codeOf(() => parseJsonBody(bytesOf('['.repeat(400_000))))).toBe('invalid_request');
  });

  it('brackets inside texts do not count, whatever is escaped there', () => {
    expect(measureJsonDepth(bytesOf(String.raw`{"a":"[[[\"[[","b\\":[1]}`))).toBe(2);
  });

  it('depth by bytes is the depth of the value', () => {
    const depthOf = (value: unknown): number =>
      typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0;
    fc.assert(
      fc.property(fc.jsonValue(), (value) => measureJsonDepth(bytesOf(JSON.stringify(value))) === depthOf(value)),
    );
  });

  it.each(['{"__proto__":{}}', '{"a":[{"constructor":1}]}', String.raw`{"\u005f_proto__":1}`, '{"prototype":null}'])(
    'rel-X20: %s names a key that is refused everywhere',
    async (text) => {
      expect(await codeOf(() => parseJsonBody(bytesOf(text)))).toBe('invalid_request');
    },
  );

  it('what is no UTF-8 or no JSON is refused; an empty body says nothing, which is {}', async () => {
    expect(await codeOf(() => parseJsonBody(new Uint8Array([0x22, 0xff, 0x22])))).toBe('invalid_request');
    expect(await codeOf(() => parseJsonBody(bytesOf('{a:1}')))).toBe('invalid_request');
    expect(parseJsonBody(bytesOf(''))).toEqual({});
  });

  it('rel-X6: what a foreign form can send is not read as JSON', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']) {
      expect(await codeOf(() => readJsonBody(post('{}', { 'content-type': type })))).toBe('unsupported_media_type');
    }
    expect(await readJsonBody(post('{"a":1}', { 'content-type': 'application/json; charset=utf-8' }))).toEqual({
      a: 1,
    });
  });
});
