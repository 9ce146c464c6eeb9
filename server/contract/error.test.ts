import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { AppError, errorBodySchema, errorStatus, isErrorCode, toErrorBody, toInvalidRequest } from './error';

describe('errors as they leave the server', () => {
  it('an AppError answers with its own status, code, sentence and details', () => {
    const { status, body } = toErrorBody(
      new AppError('payload_too_large', 'The message is larger than 1 MB.', { details: { limitBytes: 1_000_000 } }),
    );
    expect(status).toBe(413);
    expect(body).toEqual({
      error: {
        code: 'payload_too_large',
        message: 'The message is larger than 1 MB.',
        details: { limitBytes: 1_000_000 },
      },
    });
    expect(errorBodySchema.parse(body)).toEqual(body);
  });

  it('knows an error of the other copy of this file that a built server holds', async () => {
    vi.resetModules();
    const other = await import('./error');
    expect(other.AppError).not.toBe(AppError);
    const thrown = new other.AppError('not_found', 'There is no such conversation.');
    expect([thrown instanceof AppError, toErrorBody(thrown).status]).toEqual([true, 404]);
    expect(new Error('x') instanceof AppError).toBe(false);
  });

  it('never lets the text of an unknown error out', () => {
    for (const thrown of [new Error('sk-secret at /home/ada/data'), 'sk-secret', { message: 'sk-secret' }, undefined]) {
      const { status, body } = toErrorBody(thrown);
      expect(status).toBe(500);
      expect(body.error.code).toBe('internal');
      expect(JSON.stringify(body)).not.toContain('secret');
    }
  });

  it('keeps the cause for the log and out of the answer', () => {
    const cause = new Error('EIO on /secret/path');
    const error = new AppError('storage_failed', 'The disk refused the write. The message was not saved.', { cause });
    expect(error.cause).toBe(cause);
    expect(JSON.stringify(toErrorBody(error).body)).not.toContain('secret');
  });

  it('gives the codes of api.md the statuses of api.md', () => {
    expect(errorStatus).toMatchObject({
      invalid_request: 400,
      unauthenticated: 401,
      forbidden: 403,
      not_found: 404,
      conflict: 409,
      payload_too_large: 413,
      misdirected: 421,
      rate_limited: 429,
      storage_full: 507,
      unavailable: 503,
    });
  });

  it('knows its own codes and none that an object inherits', () => {
    expect(isErrorCode('provider_auth')).toBe(true);
    expect(isErrorCode('constructor')).toBe(false);
  });
});

describe('a refused request', () => {
  it('names the field and not the value', () => {
    const parsed = z.strictObject({ title: z.string().max(3) }).safeParse({ title: 'hunter2', extra: 1 });
    const error = toInvalidRequest('body', parsed.error ?? expect.fail('must be refused'));
    expect(error.code).toBe('invalid_request');
    const { body } = toErrorBody(error);
    expect(body.error.message).toContain('title');
    expect(body.error.details).toMatchObject({ where: 'body', problems: [{ path: 'title' }, { path: '' }] });
    expect(JSON.stringify(body)).toContain('extra');
    expect(JSON.stringify(body)).not.toContain('hunter2');
  });

  it('names at most twenty problems', () => {
    const parsed = z.array(z.string()).safeParse(Array.from({ length: 100 }, () => 1));
    const error = toInvalidRequest('body', parsed.error ?? expect.fail('must be refused'));
    expect(error.details.problems).toHaveLength(20);
  });
});
