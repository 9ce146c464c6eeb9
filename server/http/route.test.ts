import { describe, expect, it, vi } from 'vitest';
import { AppError } from '@/server/contract/error';
import { answerJson, handle } from './route';

const SESSION = '01HZZZZZZZZZZZZZZZZZZZZZZZ';

const ask = (method: string, path: string, more: { readonly body?: string; readonly type?: string } = {}): Request =>
  new Request(`http://tidemark.test/v1${path}`, {
    method,
    body: more.body,
    headers: more.body === undefined ? {} : { 'content-type': more.type ?? 'application/json' },
  });
const at = (params: Readonly<Record<string, string>> = {}) => ({ params: Promise.resolve(params) });
const bodyOf = async (response: Response) => ({ status: response.status, body: await response.json() });

describe('a handler gets what its route’s schemas let through', () => {
  it('parameters, query and body, parsed; the answer has the table’s status', async () => {
    const seen: unknown[] = [];
    const POST = handle('postMessage', ({ params, body }) => {
      seen.push(params.sessionId, body.text);
      return { messageId: SESSION, turnId: SESSION, queued: false };
    });
    const body = JSON.stringify({ text: 'Hello', clientMessageId: 'client-message-1' });
    const answer = await POST(ask('POST', '/x', { body }), at({ sessionId: SESSION }));
    expect(await bodyOf(answer)).toEqual({ status: 202, body: { messageId: SESSION, turnId: SESSION, queued: false } });
    expect(seen).toEqual([SESSION, 'Hello']);
    expect(answer.headers.get('cache-control')).toBe('private, no-store');
  });

  it('an answer without a body has none', async () => {
    const DELETE = handle('deleteCarryOver', () => undefined);
    const answer = await DELETE(ask('DELETE', '/x'), at({ sessionId: SESSION, carryOverId: SESSION }));
    expect([answer.status, await answer.text()]).toEqual([204, '']);
  });

  it('a response of the handler’s own goes out as it is, but no cache keeps it', async () => {
    const GET = handle('ready', () => answerJson(503, { ok: false }));
    expect((await GET(ask('GET', '/ready'), at())).status).toBe(503);
    const stream = handle('getLog', () => new Response('line\n'));
    const answer = await stream(ask('GET', '/x'), at({ sessionId: SESSION }));
    expect(answer.headers.get('cache-control')).toBe('private, no-store');
  });

  it('a streamed body comes in pieces, within the route’s limit', async () => {
    const POST = handle('importSessions', async ({ stream }) => {
      let bytes = 0;
      for await (const piece of stream()) bytes += piece.byteLength;
      return answerJson(201, { bytes });
    });
    const answer = await POST(ask('POST', '/import', { body: 'abc', type: 'application/jsonl' }), at());
    expect(await bodyOf(answer)).toEqual({ status: 201, body: { bytes: 3 } });
  });
});

describe('what does not pass is answered with the error body', () => {
  const act = vi.fn(() => {
    throw new Error('reached');
  });
  const POST = handle('postMessage', act);
  const GET = handle('listSessions', act);
  const DELETE = handle('deleteCarryOver', act);
  const cases: readonly (readonly [string, () => Promise<Response>, number, string])[] = [
    [
      'an id that cannot exist',
      () => POST(ask('POST', '/x', { body: '{}' }), at({ sessionId: '../x' })),
      404,
      'not_found',
    ],
    [
      'a missing field',
      () => POST(ask('POST', '/x', { body: '{}' }), at({ sessionId: SESSION })),
      400,
      'invalid_request',
    ],
    ['no JSON', () => POST(ask('POST', '/x', { body: '{' }), at({ sessionId: SESSION })), 400, 'invalid_request'],
    [
      'another type',
      () => POST(ask('POST', '/x', { body: '{}', type: 'text/plain' }), at({ sessionId: SESSION })),
      415,
      'unsupported_media_type',
    ],
    [
      'too large',
      () => POST(ask('POST', '/x', { body: ' '.repeat(1_000_001) }), at({ sessionId: SESSION })),
      413,
      'payload_too_large',
    ],
    ['an unknown query field', () => GET(ask('GET', '/x?nonsense=1'), at()), 400, 'invalid_request'],
    ['a query field twice', () => GET(ask('GET', '/x?q=a&q=b'), at()), 400, 'invalid_request'],
    [
      'a query where none is taken',
      () => DELETE(ask('DELETE', '/x?a=1'), at({ sessionId: SESSION, carryOverId: SESSION })),
      400,
      'invalid_request',
    ],
    [
      'a body where none is taken',
      () => DELETE(ask('DELETE', '/x', { body: '[]' }), at({ sessionId: SESSION, carryOverId: SESSION })),
      400,
      'invalid_request',
    ],
  ];

  it.each(cases)('%s', async (_name, call, status, code) => {
    expect(await bodyOf(await call())).toMatchObject({ status, body: { error: { code, details: {} } } });
    expect(act).not.toHaveBeenCalled();
  });

  it('an AppError of the use case answers as it says, with when to come back', async () => {
    const limited = handle('health', () => {
      throw new AppError('rate_limited', 'Too many.', { details: { retryAfterSeconds: 1.2 } });
    });
    const answer = await limited(ask('GET', '/health'), at());
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '2']);
  });

  it('an unknown error is logged once and answered without its text', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {});
    const broken = handle('health', () => {
      throw new Error('/secret/path');
    });
    const { status, body } = await bodyOf(await broken(ask('GET', '/health'), at()));
    expect([status, body.error.code]).toEqual([500, 'internal']);
    expect(JSON.stringify(body)).not.toContain('/secret/path');
    expect(log).toHaveBeenCalledTimes(1);
    log.mockRestore();
  });
});
