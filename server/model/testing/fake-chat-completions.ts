import type { FakeOptions, FakeProtocol, FakeServer } from './fake-server';
import { startFakeServer } from './fake-server';
import { type FakeEnd, type FakePart, type FakeReply, type Frame, toCommonFrame } from './script';
import { STRICT_CHAT_COMPLETIONS } from './strict-chat-completions';

/** Starts a fake of the chat completions protocol; `baseUrl` ends in `/v1`. */
export function startFakeChatCompletions(options: FakeOptions = {}): Promise<FakeServer> {
  return startFakeServer(PROTOCOL, options);
}

const PROTOCOL: FakeProtocol = {
  basePath: '/v1',
  isCall: (request) => request.method === 'POST' && request.path.endsWith('/chat/completions'),
  models: {
    object: 'list',
    data: [
      { id: 'fake-1m', object: 'model', context_length: 1_000_000 },
      { id: 'fake-8k', object: 'model', max_model_len: 8_000 },
    ],
  },
  encode: encodeChatCompletions,
  strict: STRICT_CHAT_COMPLETIONS,
};

/** The frames of one reply, spelt as `chat.completion.chunk` events. */
export function* encodeChatCompletions(reply: Extract<FakeReply, { parts: unknown }>): Iterable<Frame> {
  let calls = 0;
  for (const part of reply.parts) {
    yield* toFrames(part, calls);
    if ('call' in part) calls += 1;
  }
  if (reply.end !== undefined) yield* toEndFrames(reply.end);
}

function* toFrames(part: FakePart, index: number): Iterable<Frame> {
  const common = toCommonFrame(part);
  if (common !== null) yield common;
  else if ('text' in part) yield chunk({ content: part.text });
  else if ('reasoning' in part) yield chunk({ reasoning_content: part.reasoning });
  else if ('refusal' in part) yield chunk({ refusal: part.refusal });
  else if ('error' in part) yield event({ error: part.error });
  else if ('call' in part) {
    const args = part.call.rawArgs ?? JSON.stringify(part.call.args);
    const half = Math.ceil(args.length / 2);
    yield chunk({
      tool_calls: [
        {
          index,
          id: part.call.id,
          type: 'function',
          function: { name: part.call.name, arguments: args.slice(0, half) },
        },
      ],
    });
    if (half < args.length) yield chunk({ tool_calls: [{ index, function: { arguments: args.slice(half) } }] });
  }
}

function* toEndFrames(end: FakeEnd): Iterable<Frame> {
  yield chunk({}, end.reason);
  if (end.usage != null) {
    const { input, output, cachedRead, reasoning } = end.usage;
    yield event({
      ...HEAD,
      choices: [],
      usage: {
        prompt_tokens: input,
        completion_tokens: output,
        total_tokens: input + output,
        ...(cachedRead === undefined ? {} : { prompt_tokens_details: { cached_tokens: cachedRead } }),
        ...(reasoning === undefined ? {} : { completion_tokens_details: { reasoning_tokens: reasoning } }),
      },
    });
  }
  for (const part of end.after ?? []) yield* toFrames(part, 0);
  if (end.withoutLast !== true) yield 'data: [DONE]\n\n';
}

const HEAD = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1_700_000_000, model: 'fake-1m' } as const;

function chunk(delta: unknown, finishReason: string | null = null): string {
  return event({ ...HEAD, choices: [{ index: 0, delta, finish_reason: finishReason }] });
}

function event(value: unknown): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}
