import { type FakeOptions, type FakeProtocol, type FakeServer, startFakeServer } from './fake-server';
import { type FakeCall, type FakeEnd, type FakePart, type FakeReply, type Frame, toCommonFrame } from './script';
import { STRICT_RESPONSES } from './strict-responses';

/** Starts a fake of OpenAI's Responses protocol. The end reasons are `completed`, an incomplete reason, or `failed`. */
export function startFakeResponses(options: FakeOptions = {}): Promise<FakeServer> {
  return startFakeServer(PROTOCOL, options);
}

const PROTOCOL: FakeProtocol = {
  basePath: '/v1',
  isCall: (request) => request.method === 'POST' && request.path.endsWith('/responses'),
  models: { object: 'list', data: [{ id: 'gpt-5', object: 'model' }] },
  encode: encodeResponses,
  strict: STRICT_RESPONSES,
};

/** Output items have an index each; a run of texts is one message item. */
function* encodeResponses(reply: Extract<FakeReply, { parts: unknown }>): Iterable<Frame> {
  const writer = createItemWriter();
  yield event('response.created', { response: { id: 'resp_1', created_at: 1_700_000_000, model: 'gpt-5' } });
  for (const part of reply.parts) yield* writer.write(part);
  if (reply.end === undefined) return;
  yield* writer.closeMessage();
  yield* toEndFrames(reply.end, writer);
}

interface ItemWriter {
  readonly write: (part: FakePart) => Iterable<Frame>;
  readonly closeMessage: () => Iterable<Frame>;
}

function createItemWriter(): ItemWriter {
  let index = -1;
  let openMessage: string | null = null;
  function* closeMessage(): Iterable<Frame> {
    if (openMessage !== null)
      yield event('response.output_item.done', { output_index: index, item: { type: 'message', id: openMessage } });
    openMessage = null;
  }
  function* write(part: FakePart): Iterable<Frame> {
    const common = toCommonFrame(part);
    if (common !== null) yield common;
    else if ('error' in part) yield event('error', { sequence_number: 9, error: part.error });
    else if ('text' in part || 'refusal' in part) {
      if (openMessage === null) {
        index += 1;
        openMessage = `msg_${index}`;
        yield event('response.output_item.added', { output_index: index, item: { type: 'message', id: openMessage } });
      }
      if ('text' in part) yield event('response.output_text.delta', { item_id: openMessage, delta: part.text });
      else yield event('response.refusal.delta', { item_id: openMessage, delta: part.refusal });
    } else {
      yield* closeMessage();
      index += 1;
      if ('reasoning' in part) yield* toReasoningFrames(part, index);
      else if ('call' in part) yield* toCallFrames(part.call, index);
    }
  }
  return { write, closeMessage };
}

function* toReasoningFrames(
  part: { readonly reasoning: string; readonly signature?: string },
  index: number,
): Iterable<Frame> {
  const id = `rs_${index}`;
  yield event('response.output_item.added', {
    output_index: index,
    item: { type: 'reasoning', id, encrypted_content: null },
  });
  yield event('response.reasoning_summary_part.added', { item_id: id, summary_index: 0 });
  if (part.reasoning !== '')
    yield event('response.reasoning_summary_text.delta', { item_id: id, summary_index: 0, delta: part.reasoning });
  yield event('response.output_item.done', {
    output_index: index,
    item: { type: 'reasoning', id, encrypted_content: part.signature ?? null },
  });
}

function* toCallFrames(call: FakeCall, index: number): Iterable<Frame> {
  const args = call.rawArgs ?? JSON.stringify(call.args);
  const item = { type: 'function_call', id: `fc_${index}`, call_id: call.id, name: call.name };
  yield event('response.output_item.added', { output_index: index, item: { ...item, arguments: '' } });
  yield event('response.function_call_arguments.delta', { item_id: item.id, output_index: index, delta: args });
  if (call.rawArgs === undefined)
    yield event('response.output_item.done', {
      output_index: index,
      item: { ...item, arguments: args, status: 'completed' },
    });
}

function* toEndFrames(end: FakeEnd, writer: ItemWriter): Iterable<Frame> {
  if (end.withoutLast === true) return;
  const usage = end.usage == null ? undefined : toUsage(end.usage);
  if (end.reason === 'failed')
    yield event('response.failed', {
      sequence_number: 8,
      response: { error: { code: 'server_error', message: 'The model failed.' }, usage },
    });
  else if (end.reason === null || end.reason === 'completed')
    yield event('response.completed', { response: { usage, incomplete_details: null } });
  else yield event('response.incomplete', { response: { usage, incomplete_details: { reason: end.reason } } });
  for (const part of end.after ?? []) yield* writer.write(part);
}

function toUsage(usage: NonNullable<FakeEnd['usage']>): unknown {
  return {
    input_tokens: usage.input,
    input_tokens_details: { cached_tokens: usage.cachedRead ?? 0 },
    output_tokens: usage.output,
    output_tokens_details: { reasoning_tokens: usage.reasoning ?? 0 },
  };
}

function event(type: string, fields: Readonly<Record<string, unknown>>): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
}
