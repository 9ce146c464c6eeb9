import { createHash } from 'node:crypto';
import { measureText } from '@/server/core/budget/measure';
import type { FetchLike } from '../guarded-fetch';
import { answerPractice } from './practice-answer';
import type { PracticeAnswer } from './practice-commands';
import { type PracticeRequest, parsePracticeRequest } from './practice-request';

export const PRACTICE_PROVIDER = 'practice';
export const PRACTICE_MODEL = 'rules-1';
/** The declared window, in tokens of two bytes. */
export const PRACTICE_WINDOW_TOKENS = 8_000;
const BYTES_A_TOKEN = 2;
const CHUNK_CHARACTERS = 40;

/** How long to wait before each chunk; handed in, so that text can be seen to stream without a clock in here. */
export type Pace = () => Promise<void>;

/**
 * The practice model as a server without a network: `POST …/chat/completions` answered in process with the bytes a real
 * provider would stream (contract 18). Deterministic: no clock, no chance; equal requests give equal bytes.
 */
export function createPracticeFetch(pace: Pace = () => Promise.resolve()): FetchLike {
  return async (input, init) => {
    const { pathname } = new URL(input);
    if (pathname.endsWith('/models'))
      return Response.json({
        object: 'list',
        data: [{ id: PRACTICE_MODEL, object: 'model', context_length: PRACTICE_WINDOW_TOKENS }],
      });
    if (!pathname.endsWith('/chat/completions'))
      return refuse(404, { message: `There is no ${pathname} here.`, code: 'not_found' });
    const parsed = parsePracticeRequest(typeof init.body === 'string' ? init.body : '');
    if (!parsed.ok) return refuse(400, { message: parsed.why, code: 'invalid_request' });
    const tokens = Math.ceil(parsed.request.contentBytes / BYTES_A_TOKEN);
    if (tokens > PRACTICE_WINDOW_TOKENS) {
      const message = `This model's maximum context length is ${PRACTICE_WINDOW_TOKENS} tokens. However, your messages resulted in ${tokens} tokens.`;
      return refuse(400, { message, code: 'context_length_exceeded' });
    }
    return new Response(streamEvents(toEvents(parsed.request), { pace, signal: init.signal ?? null }), {
      headers: { 'content-type': 'text/event-stream' },
    });
  };
}

function refuse(status: number, error: { readonly message: string; readonly code: string }): Response {
  return Response.json({ error: { ...error, type: 'invalid_request_error' } }, { status });
}

function streamEvents(
  events: readonly string[],
  run: { readonly pace: Pace; readonly signal: AbortSignal | null },
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let next = 0;
  return new ReadableStream({
    async pull(controller) {
      await run.pace();
      if (run.signal?.aborted === true) {
        controller.error(new DOMException('This operation was aborted', 'AbortError'));
        return;
      }
      const event = events[next];
      next += 1;
      if (event === undefined) controller.close();
      else controller.enqueue(encoder.encode(event));
    },
  });
}

const HEAD = { id: 'chatcmpl-practice', object: 'chat.completion.chunk', created: 0, model: PRACTICE_MODEL } as const;

/** The whole answer as chat completions events, in order: text or a call, the finish, usage, `[DONE]`. */
export function toEvents(request: PracticeRequest): readonly string[] {
  const answer = answerPractice(request);
  const finish = answer.call === null ? 'stop' : 'tool_calls';
  return [
    toEvent({ ...HEAD, choices: [{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null }] }),
    ...cutText(answer.text).map((content) =>
      toEvent({ ...HEAD, choices: [{ index: 0, delta: { content }, finish_reason: null }] }),
    ),
    ...toCallEvents(answer, request),
    toEvent({ ...HEAD, choices: [{ index: 0, delta: {}, finish_reason: finish }] }),
    toEvent({ ...HEAD, choices: [], usage: toUsage(answer, request) }),
    'data: [DONE]\n\n',
  ];
}

/** A call id that no other call of the conversation has, though the view may have lost the earlier ones: a hash of all that was read. */
function toCallEvents(answer: PracticeAnswer, request: PracticeRequest): readonly string[] {
  if (answer.call === null) return [];
  const read = createHash('sha256').update(JSON.stringify(request.messages)).digest('hex').slice(0, 16);
  const call = {
    index: 0,
    id: `practice_${read}`,
    type: 'function',
    function: { name: answer.call.name, arguments: JSON.stringify(answer.call.args) },
  };
  return [toEvent({ ...HEAD, choices: [{ index: 0, delta: { tool_calls: [call] }, finish_reason: null }] })];
}

function toUsage(answer: PracticeAnswer, request: PracticeRequest): unknown {
  const prompt = Math.ceil(request.measureBytes / BYTES_A_TOKEN);
  const said = answer.call === null ? answer.text : JSON.stringify(answer.call);
  const completion = Math.ceil(measureText(said) / BYTES_A_TOKEN);
  return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion };
}

function toEvent(value: unknown): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}

/** Pieces of whole words, so that the text grows as a model's would. */
function cutText(text: string): readonly string[] {
  const pieces: string[] = [];
  let piece = '';
  for (const word of text.split(/(?<=\s)/)) {
    piece += word;
    if (piece.length >= CHUNK_CHARACTERS) {
      pieces.push(piece);
      piece = '';
    }
  }
  return piece === '' ? pieces : [...pieces, piece];
}
