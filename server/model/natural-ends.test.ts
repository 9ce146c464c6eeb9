import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ModelEnd, ProviderKind, TroubleKind } from '@/server/ports/model';
import { connectTo, readReply, toRequest } from './testing/ask';
import { startFakeAnthropic } from './testing/fake-anthropic';
import { startFakeChatCompletions } from './testing/fake-chat-completions';
import { startFakeGemini } from './testing/fake-gemini';
import { startFakeResponses } from './testing/fake-responses';
import type { FakeServer } from './testing/fake-server';
import type { FakeCall, FakeEnd, FakePart, FakeReply } from './testing/script';

const USAGE = { input: 120, output: 7 };
const CALL: FakeCall = { id: 'call_1', name: 'read_file', args: { path: 'a.md' } };
const CUT_CALL: FakeCall = { ...CALL, rawArgs: '{"path":"a.' };
const HALF = [{ text: 'The port is 74' }];

function says(parts: readonly FakePart[], reason: string | null, more: Partial<FakeEnd> = {}): FakeReply {
  return { parts, end: { reason, usage: USAGE, ...more } };
}

function text(reason: string | null, more: Partial<FakeEnd> = {}): FakeReply {
  return says([{ text: 'Hel' }, { text: 'lo.' }], reason, more);
}

type Row = readonly [name: string, reply: FakeReply, end: ModelEnd, trouble: TroubleKind | null, usage?: boolean];

/** Stack 6a: chat completions. The last field says whether usage is known. */
const CHAT: readonly Row[] = [
  ['stop', text('stop'), 'stop', null],
  ['stop, no usage', text('stop', { usage: null }), 'stop', null, false],
  ['stop, [DONE] missing', text('stop', { withoutLast: true }), 'stop', null],
  ['reasoning, then stop', says([{ reasoning: 'hm' }, { text: 'Hello.' }], 'stop'), 'stop', null],
  ['length', text('length'), 'length', null],
  ['content_filter', text('content_filter'), 'refusal', 'refusal'],
  ['unknown reason', text('eos_token'), 'error', 'incomplete'],
  ['stop with no text', says([], 'stop'), 'stop', 'incomplete'],
  ['case-A03: reasoning only, stop', says([{ reasoning: 'Let me look' }], 'stop'), 'stop', 'incomplete'],
  ['case-A03: blank text', says([{ text: '   \n\t' }], 'stop'), 'stop', 'incomplete'],
  ['case-A03: reasoning only, length', says([{ reasoning: 'Let me look' }], 'length'), 'length', null],
  ['refusal field', says([{ refusal: 'I must decline.' }], 'stop'), 'refusal', 'refusal'],
  ['finish null, then [DONE]', says(HALF, null, { usage: null }), 'error', 'network', false],
  ['case-D02: clean EOF in the text', { parts: HALF }, 'error', 'network', false],
  ['half an event, then EOF', { parts: [...HALF, { raw: 'data: {"id":"x","choi' }] }, 'error', 'network', false],
  ['socket cut in the text', { parts: [...HALF, { cut: true }] }, 'error', 'network', false],
  ['socket cut after finish', says(HALF, 'stop', { usage: null, after: [{ cut: true }] }), 'error', 'network', false],
  [
    'error object in the middle',
    says([...HALF, { error: { message: 'Overloaded', type: 'overloaded_error' } }], null, { usage: null }),
    'error',
    'overload',
    false,
  ],
  [
    'error as event',
    { parts: [...HALF, { raw: 'event: error\ndata: {"error":{"message":"boom"}}\n\n' }] },
    'error',
    'server',
    false,
  ],
  [
    'error after finish',
    text('stop', { usage: null, after: [{ error: { message: 'boom' } }] }),
    'error',
    'server',
    false,
  ],
  [
    'malformed chunk in the middle',
    says([...HALF, { raw: 'data: {"id":\n\n' }, { text: '00.' }], 'stop'),
    'error',
    'network',
  ],
  [
    'case-D08: error written into a half event',
    {
      parts: [
        {
          raw: 'data: {"id":"x","choices":[{"delta":{"content":"He\ndata: {"type":"error","error":{"type":"upstream_error","message":"read failed"}}\n\n',
        },
      ],
    },
    'error',
    'server',
    false,
  ],
  ['call', says([{ call: CALL }], 'tool_calls'), 'tool_calls', null],
  [
    'text and two calls',
    says([{ text: 'Look.' }, { call: CALL }, { call: { ...CALL, id: 'call_2' } }], 'tool_calls'),
    'tool_calls',
    null,
  ],
  ['call that ends with stop (local servers)', says([{ call: CALL }], 'stop'), 'tool_calls', null],
  ['call whose arguments are cut, clean EOF', { parts: [{ call: CUT_CALL }] }, 'error', 'network', false],
  ['call and length', says([{ call: CUT_CALL }], 'length'), 'length', null],
  ['200 with a page', { status: 200, body: '<html>Hello</html>' }, 'error', 'network', false],
  [
    '200 with an error inside',
    { status: 200, body: { error: { message: 'model is loading' } } },
    'error',
    'network',
    false,
  ],
  ['case-D03: only comments, then FIN', { parts: [{ raw: ': WAITING\n\n: WAITING\n\n' }] }, 'error', 'network', false],
  ['429', { status: 429, body: { error: { message: 'Slow down' } } }, 'error', 'rate_limit', false],
  [
    '429 without money',
    { status: 429, body: { error: { message: 'x', code: 'insufficient_quota' } } },
    'error',
    'quota',
    false,
  ],
  [
    '400 context',
    { status: 400, body: { error: { message: 'too long', code: 'context_length_exceeded' } } },
    'error',
    'context',
    false,
  ],
  ['401', { status: 401, body: { error: { message: 'bad key' } } }, 'error', 'auth', false],
  ['413', { status: 413, body: { error: { type: 'request_too_large', message: 'big' } } }, 'error', 'too_large', false],
  ['500', { status: 500, body: { error: { message: 'boom' } } }, 'error', 'server', false],
  ['reset before headers', { reset: true }, 'error', 'network', false],
  [
    'redirect',
    { status: 302, body: '', headers: { location: 'http://127.0.0.1:9/' } },
    'error',
    'invalid_request',
    false,
  ],
];

/** Stack 6b: Responses. */
const RESPONSES: readonly Row[] = [
  ['completed', text('completed'), 'stop', null],
  ['completed, no usage', text('completed', { usage: null }), 'stop', null, false],
  [
    'reasoning, then text',
    says([{ reasoning: 'hm', signature: 'ENC' }, { text: 'Hello.' }], 'completed'),
    'stop',
    null,
  ],
  ['max_output_tokens', text('max_output_tokens'), 'length', null],
  ['content_filter', text('content_filter'), 'refusal', 'refusal'],
  ['completed, no text', says([], 'completed'), 'stop', 'incomplete'],
  ['refusal', says([{ refusal: 'No.' }], 'completed'), 'refusal', 'refusal'],
  ['clean EOF in the text', { parts: HALF }, 'error', 'network', false],
  ['EOF before response.completed', text('completed', { withoutLast: true }), 'error', 'network', false],
  ['failed', text('failed'), 'error', 'server'],
  [
    'error event after text',
    { parts: [...HALF, { error: { type: 'server_error', code: 'overloaded', message: 'Overloaded' } }] },
    'error',
    'overload',
    false,
  ],
  [
    'error event first',
    { parts: [{ error: { type: 'requests', code: 'rate_limit_exceeded', message: 'slow' } }] },
    'error',
    'rate_limit',
    false,
  ],
  ['socket cut', { parts: [...HALF, { cut: true }] }, 'error', 'network', false],
  ['call', says([{ call: CALL }], 'completed'), 'tool_calls', null],
  ['call cut, clean EOF', { parts: [{ call: CUT_CALL }] }, 'error', 'network', false],
];

/** Stack 6c: Anthropic messages. */
const ANTHROPIC: readonly Row[] = [
  ['end_turn', text('end_turn'), 'stop', null],
  [
    'thinking, then end_turn',
    says([{ reasoning: 'hm', signature: 'SIG' }, { text: 'Hello.' }], 'end_turn'),
    'stop',
    null,
  ],
  ['stop_sequence', text('stop_sequence'), 'error', 'incomplete'],
  ['pause_turn', text('pause_turn'), 'error', 'incomplete'],
  ['max_tokens', text('max_tokens'), 'length', null],
  ['model_context_window_exceeded', text('model_context_window_exceeded'), 'length', 'context'],
  ['refusal', text('refusal'), 'refusal', 'refusal'],
  ['compaction', text('compaction'), 'error', 'incomplete'],
  ['unknown', text('weird'), 'error', 'incomplete'],
  ['null', text(null), 'error', 'network'],
  ['end_turn with no text', says([], 'end_turn'), 'stop', 'incomplete'],
  ['tool_use', says([{ call: CALL }], 'tool_use'), 'tool_calls', null],
  ['call with pause_turn', says([{ call: CALL }], 'pause_turn'), 'error', 'incomplete'],
  ['case-D02: clean EOF in the text', { parts: HALF }, 'error', 'network', false],
  ['EOF after message_delta, before message_stop', text('end_turn', { withoutLast: true }), 'error', 'network', false],
  ['socket cut in the text', { parts: [...HALF, { cut: true }] }, 'error', 'network', false],
  [
    'socket cut between message_delta and message_stop',
    text('end_turn', { after: [{ cut: true }] }),
    'error',
    'network',
    false,
  ],
  [
    'case-D04: overloaded before any text',
    { parts: [{ error: { type: 'overloaded_error', message: 'Overloaded' } }] },
    'error',
    'overload',
    false,
  ],
  [
    'case-D04: overloaded after text',
    { parts: [{ text: 'Par' }, { error: { type: 'overloaded_error', message: 'Overloaded' } }] },
    'error',
    'overload',
    false,
  ],
  [
    '429',
    { status: 429, body: { type: 'error', error: { type: 'rate_limit_error', message: 'slow' } } },
    'error',
    'rate_limit',
    false,
  ],
  [
    '529',
    { status: 529, body: { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } } },
    'error',
    'overload',
    false,
  ],
  [
    '400 too long',
    {
      status: 400,
      body: {
        type: 'error',
        error: { type: 'invalid_request_error', message: 'prompt is too long: 201500 tokens > 200000 maximum' },
      },
    },
    'error',
    'context',
    false,
  ],
  [
    '413',
    { status: 413, body: { type: 'error', error: { type: 'request_too_large', message: 'big' } } },
    'error',
    'too_large',
    false,
  ],
];

/** Stack 6d: Gemini. */
const GEMINI: readonly Row[] = [
  ['STOP', text('STOP'), 'stop', null],
  ['thought, then STOP', says([{ reasoning: 'hm' }, { text: 'Hello.', signature: 'S' }], 'STOP'), 'stop', null],
  ['MAX_TOKENS', text('MAX_TOKENS'), 'length', null],
  ...['SAFETY', 'RECITATION', 'BLOCKLIST', 'PROHIBITED_CONTENT', 'SPII'].map(
    (reason): Row => [reason, text(reason), 'refusal', 'refusal'],
  ),
  ...[
    'OTHER',
    'LANGUAGE',
    'MALFORMED_RESPONSE',
    'FINISH_REASON_UNSPECIFIED',
    'MALFORMED_FUNCTION_CALL',
    'NEW_REASON',
  ].map((reason): Row => [reason, text(reason), 'error', 'incomplete']),
  ['no reason, usage present', text(null), 'error', 'network'],
  ['case-D02: clean EOF', { parts: HALF }, 'error', 'network', false],
  ['prompt blocked', says([], 'PROMPT_BLOCKED'), 'refusal', 'refusal'],
  ['STOP with no content', says([], 'STOP'), 'stop', 'incomplete'],
  ['call with STOP', says([{ call: CALL }], 'STOP'), 'tool_calls', null],
  [
    'error in the stream',
    { parts: [...HALF, { error: { code: 503, message: 'The model is overloaded.', status: 'UNAVAILABLE' } }] },
    'error',
    'overload',
    false,
  ],
  ['socket cut', { parts: [...HALF, { cut: true }] }, 'error', 'network', false],
  [
    '429 with RetryInfo',
    {
      status: 429,
      body: { error: { code: 429, message: 'quota', status: 'RESOURCE_EXHAUSTED', details: [{ retryDelay: '34s' }] } },
    },
    'error',
    'rate_limit',
    false,
  ],
];

const PROTOCOLS: readonly (readonly [ProviderKind, string, () => Promise<FakeServer>, readonly Row[]])[] = [
  ['openai-compatible', 'fake-1m', startFakeChatCompletions, CHAT],
  ['openai', 'gpt-5', startFakeResponses, RESPONSES],
  ['anthropic', 'claude-sonnet-4-5', startFakeAnthropic, ANTHROPIC],
  ['google', 'gemini-2.5-pro', startFakeGemini, GEMINI],
];
const NATURAL = new Set([
  'stop',
  'stop, no usage',
  'stop, [DONE] missing',
  'reasoning, then stop',
  'completed',
  'completed, no usage',
  'reasoning, then text',
  'end_turn',
  'thinking, then end_turn',
  'STOP',
  'thought, then STOP',
]);

describe.each(PROTOCOLS)('C8: the natural ends of %s are accepted and nothing else', (kind, model, start, rows) => {
  let server: FakeServer;
  beforeAll(async () => {
    server = await start();
  });
  afterAll(() => server.close());

  for (const [name, reply, end, trouble, hasUsage = true] of rows) {
    it(name, async () => {
      server.push(reply);
      const request = toRequest({ model: { provider: 'p', model } });
      const { end: seen } = await readReply(connectTo(server, { kind }).stream(request, new AbortController().signal));
      expect({ natural: seen.natural, end: seen.end, trouble: seen.trouble?.kind ?? null }).toEqual({
        natural: NATURAL.has(name),
        end,
        trouble,
      });
      if (hasUsage) expect({ input: seen.usage.input, output: seen.usage.output }).toEqual(USAGE);
      else if (kind === 'openai-compatible') expect(seen.usage.input).toBeNull();
    });
  }
});
