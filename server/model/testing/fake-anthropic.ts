import { type FakeOptions, type FakeProtocol, type FakeServer, startFakeServer } from './fake-server';
import { type FakeEnd, type FakePart, type FakeReply, type Frame, toCommonFrame } from './script';
import { STRICT_ANTHROPIC } from './strict-anthropic';

/** Starts a fake of Anthropic's messages protocol; `baseUrl` ends in `/v1`. */
export function startFakeAnthropic(options: FakeOptions = {}): Promise<FakeServer> {
  return startFakeServer(PROTOCOL, options);
}

const PROTOCOL: FakeProtocol = {
  basePath: '/v1',
  isCall: (request) => request.method === 'POST' && request.path.endsWith('/messages'),
  models: { data: [{ type: 'model', id: 'claude-sonnet-4-5', display_name: 'Fake' }], has_more: false },
  encode: encodeAnthropic,
  strict: STRICT_ANTHROPIC,
};

function* encodeAnthropic(reply: Extract<FakeReply, { parts: unknown }>): Iterable<Frame> {
  const usage = reply.end?.usage;
  yield event('message_start', {
    message: {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'claude-sonnet-4-5',
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: {
        input_tokens: usage?.input ?? 1,
        output_tokens: 0,
        cache_read_input_tokens: usage?.cachedRead ?? 0,
        cache_creation_input_tokens: usage?.cachedWrite ?? 0,
      },
    },
  });
  yield event('ping', {});
  let index = -1;
  let textOpen = false;
  for (const part of reply.parts) {
    const isText = 'text' in part;
    const isBlock = isText || 'reasoning' in part || 'redacted' in part || 'call' in part;
    if (textOpen && isBlock && !isText) {
      yield event('content_block_stop', { index });
      textOpen = false;
    }
    if (isBlock && !(isText && textOpen)) index += 1;
    yield* toFrames(part, { index, isFirst: !textOpen });
    if (isText) textOpen = true;
  }
  if (reply.end === undefined) return;
  if (textOpen) yield event('content_block_stop', { index });
  yield* toEndFrames(reply.end);
}

function* toFrames(part: FakePart, at: { readonly index: number; readonly isFirst: boolean }): Iterable<Frame> {
  const { index } = at;
  const common = toCommonFrame(part);
  if (common !== null) yield common;
  else if ('error' in part) yield event('error', { error: part.error });
  else if ('text' in part) {
    if (at.isFirst) yield event('content_block_start', { index, content_block: { type: 'text', text: '' } });
    yield event('content_block_delta', { index, delta: { type: 'text_delta', text: part.text } });
  } else if ('reasoning' in part) {
    yield event('content_block_start', { index, content_block: { type: 'thinking', thinking: '', signature: '' } });
    yield event('content_block_delta', { index, delta: { type: 'thinking_delta', thinking: part.reasoning } });
    if (part.signature !== undefined)
      yield event('content_block_delta', { index, delta: { type: 'signature_delta', signature: part.signature } });
    yield event('content_block_stop', { index });
  } else if ('redacted' in part) {
    yield event('content_block_start', { index, content_block: { type: 'redacted_thinking', data: part.redacted } });
    yield event('content_block_stop', { index });
  } else if ('call' in part) {
    yield event('content_block_start', {
      index,
      content_block: { type: 'tool_use', id: part.call.id, name: part.call.name, input: {} },
    });
    yield event('content_block_delta', {
      index,
      delta: { type: 'input_json_delta', partial_json: part.call.rawArgs ?? JSON.stringify(part.call.args) },
    });
    if (part.call.rawArgs === undefined) yield event('content_block_stop', { index });
  }
}

function* toEndFrames(end: FakeEnd): Iterable<Frame> {
  yield event('message_delta', {
    delta: { stop_reason: end.reason, stop_sequence: null },
    usage: { output_tokens: end.usage?.output ?? 1 },
  });
  for (const part of end.after ?? []) yield* toFrames(part, { index: 99, isFirst: true });
  if (end.withoutLast !== true) yield event('message_stop', {});
}

function event(type: string, fields: Readonly<Record<string, unknown>>): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
}
