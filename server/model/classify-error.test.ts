import { APICallError, JSONParseError } from 'ai';
import { describe, expect, it } from 'vitest';
import type { TroubleKind } from '@/server/ports/model';
import { classifyError } from './classify-error';

const CONTEXT = {
  secrets: ['sk-live-123456789'],
  prompt: ['Please look at the invoices of the Harbour Street office.'],
  nowMs: Date.parse('2026-11-30T00:00:00Z'),
};

function answered(status: number, body: unknown, headers: Record<string, string> = {}): APICallError {
  const responseBody = typeof body === 'string' ? body : JSON.stringify(body);
  return new APICallError({
    message: 'failed',
    url: 'https://x.test',
    requestBodyValues: {},
    statusCode: status,
    responseBody,
    responseHeaders: headers,
  });
}

function said(message: string, more: Record<string, unknown> = {}): { error: Record<string, unknown> } {
  return { error: { message, ...more } };
}

const TABLE: readonly (readonly [string, unknown, TroubleKind, number | null])[] = [
  [
    'case-D05: OpenAI code',
    answered(
      400,
      said('You passed 70010 input tokens and asked for 4000 output tokens; the limit is 72000.', {
        code: 'context_length_exceeded',
        type: 'invalid_request_error',
      }),
    ),
    'context',
    72_000,
  ],
  [
    'case-D05: Anthropic',
    answered(400, {
      type: 'error',
      error: { type: 'invalid_request_error', message: 'prompt is too long: 201500 tokens > 200000 maximum' },
    }),
    'context',
    200_000,
  ],
  [
    'case-D05: vLLM',
    answered(400, {
      object: 'error',
      message:
        "This model's maximum context length is 32768 tokens. However, you requested 0 output tokens and your prompt contains at least 32769 input tokens",
    }),
    'context',
    32_768,
  ],
  [
    'case-D05: 413 is bytes',
    answered(413, said('Request exceeds the maximum size', { type: 'request_too_large' })),
    'too_large',
    null,
  ],
  ['case-D05: 429 with nothing', answered(429, ''), 'rate_limit', null],
  ['case-D05: a parameter', answered(400, said("Unsupported parameter: 'max_tokens'")), 'invalid_request', null],
  ['case-D05: 401 that says too long', answered(401, said('token is too long ago expired')), 'auth', null],
  [
    'llama.cpp',
    answered(400, {
      error: {
        code: 400,
        message: 'the request exceeds the available context size, try increasing it',
        type: 'exceed_context_size_error',
        n_prompt_tokens: 9000,
        n_ctx: 4096,
      },
    }),
    'context',
    4_096,
  ],
  [
    'LM Studio',
    answered(400, {
      error:
        'Trying to keep the first 5000 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens, which is not enough. The prompt is greater than the context length',
    }),
    'context',
    4_096,
  ],
  [
    'Google',
    answered(
      400,
      said('The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).', {
        code: 400,
        status: 'INVALID_ARGUMENT',
      }),
    ),
    'context',
    1_048_576,
  ],
  [
    'Mistral',
    answered(400, {
      object: 'error',
      message: 'Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length',
      type: 'invalid_request_error',
    }),
    'context',
    32_768,
  ],
  [
    'xAI',
    answered(400, {
      code: 'Client specified an invalid argument',
      error:
        "This model's maximum prompt length is 131072 but the request contains 537812 tokens. prompt length is 131072 but",
    }),
    'context',
    131_072,
  ],
  [
    'Copilot',
    answered(
      400,
      said('prompt token count of 70010 exceeds the limit of 64000', { code: 'model_max_prompt_tokens_exceeded' }),
    ),
    'context',
    64_000,
  ],
  [
    'Moonshot',
    answered(400, said('Invalid request: Your request exceeded model token limit: 131072')),
    'context',
    131_072,
  ],
  ['Bedrock', answered(400, { message: 'Input is too long for requested model.' }), 'context', null],
  [
    'Anthropic: max_tokens and input',
    answered(
      400,
      said(
        'input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000, decrease input length or `max_tokens` and try again',
      ),
    ),
    'context',
    200_000,
  ],
  [
    'G4: a small chat over a limit a minute',
    answered(
      429,
      said(
        'Request too large for gpt-4o on tokens per min (TPM): Limit 30000, Requested 35. The input or output tokens must be reduced',
        { code: 'rate_limit_exceeded', type: 'tokens' },
      ),
    ),
    'rate_limit',
    null,
  ],
  [
    'Groq: 413 that is a rate limit',
    answered(
      413,
      said('Request too large for model `llama` on tokens per minute (TPM): Limit 6000, Requested 7000', {
        code: 'rate_limit_exceeded',
      }),
    ),
    'rate_limit',
    null,
  ],
  [
    'OpenAI: no money',
    answered(
      429,
      said('You exceeded your current quota, please check your plan and billing details.', {
        code: 'insufficient_quota',
        type: 'insufficient_quota',
      }),
    ),
    'quota',
    null,
  ],
  [
    'Anthropic: no money',
    answered(400, {
      type: 'error',
      error: { type: 'invalid_request_error', message: 'Your credit balance is too low to access the Anthropic API.' },
    }),
    'quota',
    null,
  ],
  ['402', answered(402, said('Payment required')), 'quota', null],
  [
    'Google: a minute',
    answered(
      429,
      said('You exceeded your current quota, please check your plan and billing details.', {
        code: 429,
        status: 'RESOURCE_EXHAUSTED',
        details: [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '34s' }],
      }),
    ),
    'rate_limit',
    null,
  ],
  [
    'Google: a day',
    answered(
      429,
      said('You exceeded your current quota', {
        status: 'RESOURCE_EXHAUSTED',
        details: [{ violations: [{ quotaId: 'GenerateRequestsPerDayPerProject' }] }, { retryDelay: '34s' }],
      }),
    ),
    'quota',
    null,
  ],
  [
    'Google: bad key with 400',
    answered(
      400,
      said('API key not valid. Please pass a valid API key.', {
        code: 400,
        status: 'INVALID_ARGUMENT',
        details: [{ reason: 'API_KEY_INVALID' }],
      }),
    ),
    'auth',
    null,
  ],
  ['401', answered(401, said('Incorrect API key provided', { code: 'invalid_api_key' })), 'auth', null],
  ['403', answered(403, said('Country not supported')), 'auth', null],
  [
    'case-D04: 529',
    answered(529, { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }),
    'overload',
    null,
  ],
  ['case-D04: in the stream', { type: 'overloaded_error', message: 'Overloaded' }, 'overload', null],
  ['503', answered(503, 'upstream'), 'overload', null],
  ['500', answered(500, said('internal error')), 'server', null],
  ['502 page', answered(502, '<html>Bad gateway</html>'), 'server', null],
  [
    '404 model',
    answered(404, said('The model `x` does not exist', { code: 'model_not_found' })),
    'invalid_request',
    null,
  ],
  [
    'refusal by a filter',
    answered(
      400,
      said('The response was filtered due to the prompt triggering a content management policy.', {
        code: 'content_filter',
      }),
    ),
    'refusal',
    null,
  ],
  [
    'no connection',
    new APICallError({
      message: 'Cannot connect',
      url: 'x',
      requestBodyValues: {},
      cause: new TypeError('fetch failed'),
    }),
    'network',
    null,
  ],
  [
    'cut socket after 200',
    new APICallError({
      message: 'terminated',
      url: 'x',
      requestBodyValues: {},
      statusCode: 200,
      cause: new TypeError('terminated'),
    }),
    'network',
    null,
  ],
  ['plain TypeError', new TypeError('terminated'), 'network', null],
  [
    'stream: rate limit object',
    { message: 'slow', type: 'x', code: 'rate_limit_exceeded', statusCode: 429 },
    'rate_limit',
    null,
  ],
  [
    'stream: context in a 200',
    { message: 'Your input exceeds the context window of this model', code: 'context_length_exceeded' },
    'context',
    null,
  ],
  [
    'stream: OpenRouter 502 in a 200',
    { code: 502, message: 'Provider returned error', metadata: { provider_name: 'x' } },
    'server',
    null,
  ],
  ['stream: an error of a 200 as text', 'model is loading', 'overload', null],
  [
    'case-D08: error inside a half event',
    new JSONParseError({
      text: '{"id":"x","choices":[{"delta":{"content":"He\n{"type":"error","error":{"type":"upstream_error","message":"read failed"}}',
      cause: new Error('bad'),
    }),
    'server',
    null,
  ],
  ['malformed event', new JSONParseError({ text: '{"id":', cause: new Error('bad') }), 'network', null],
  ['nothing', {}, 'server', null],
];

describe('G4: a provider trouble is known by its meaning', () => {
  it.each(TABLE)('%s', (_name, error, kind, window) => {
    const trouble = classifyError(error, CONTEXT);
    expect({ kind: trouble.kind, window: trouble.reportedWindowTokens }).toEqual({ kind, window });
  });

  it('case-D07: the output limit is read from the refusal', () => {
    expect(
      classifyError(
        answered(400, said('max_tokens: 64000 > 8192, which is the maximum allowed number of output tokens')),
        CONTEXT,
      ),
    ).toMatchObject({ kind: 'invalid_request', reportedMaxOutputTokens: 8_192 });
  });

  it.each([
    ['header in seconds', answered(429, '', { 'retry-after': '120' }), 120_000],
    ['header in ms', answered(429, '', { 'retry-after-ms': '1500' }), 1_500],
    ['header as a date', answered(429, '', { 'retry-after': 'Mon, 30 Nov 2026 00:00:10 GMT' }), 10_000],
    ['RetryInfo', answered(429, said('x', { details: [{ retryDelay: '34.5s' }] })), 34_500],
    ['wording', answered(429, said('Rate limit reached. Please try again in 6m0.5s. Visit')), 360_500],
    ['wording in ms', answered(429, said('Please try again in 120ms.')), 120],
    ['nothing', answered(429, said('Slow down')), null],
  ])('contract-10: retry-after from the %s', (_name, error, ms) => {
    expect(classifyError(error, CONTEXT).retryAfterMs).toBe(ms);
  });

  it('keeps at most 500 bytes, without keys and without what it echoes of the prompt', () => {
    const echo = said(
      `Bad key sk-live-123456789 or Bearer abc.def in: Please look at the invoices of the Harbour Street office. ${'é'.repeat(900)}`,
    );
    const { text } = classifyError(answered(400, echo, { 'x-request-id': 'req_1' }), CONTEXT);
    expect(text).not.toMatch(/sk-live|abc\.def|Harbour/);
    expect(text.startsWith('Bad key [key] or [key] in: […]')).toBe(true);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(500);
    expect(text.isWellFormed()).toBe(true);
  });
});
