import { z } from 'zod';
import { jsonStringBytes, toJson, utf8Bytes } from '@/server/core/budget/json-bytes';
import { BYTES_A_PART } from '@/server/core/budget/measure';

const contentSchema = z
  .union([z.string(), z.array(z.looseObject({ type: z.string(), text: z.string().optional() }))])
  .nullish();
const callSchema = z.looseObject({
  id: z.string(),
  function: z.looseObject({ name: z.string(), arguments: z.string() }),
});
const bodySchema = z.looseObject({
  model: z.string(),
  stream: z.boolean().optional(),
  messages: z.array(
    z.looseObject({
      role: z.enum(['system', 'developer', 'user', 'assistant', 'tool']),
      content: contentSchema,
      tool_calls: z.array(callSchema).nullish(),
      tool_call_id: z.string().optional(),
    }),
  ),
  tools: z.array(z.looseObject({ function: z.looseObject({ name: z.string() }) })).nullish(),
});

export interface PracticeCall {
  readonly id: string;
  readonly name: string;
  readonly args: unknown;
}

export interface PracticeMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly text: string;
  readonly calls: readonly PracticeCall[];
  readonly callId: string | null;
}

/** A chat completions request as the rules read it. Bytes: contract 7's measure, and the same without what a part costs. */
export interface PracticeRequest {
  readonly messages: readonly PracticeMessage[];
  readonly tools: ReadonlySet<string>;
  readonly measureBytes: number;
  readonly contentBytes: number;
}

/** Parses a request body, or says why it cannot be one. */
export function parsePracticeRequest(
  body: string,
): { readonly ok: true; readonly request: PracticeRequest } | { readonly ok: false; readonly why: string } {
  const parsed = bodySchema.safeParse(tryJson(body));
  if (!parsed.success) return { ok: false, why: z.prettifyError(parsed.error).slice(0, 300) };
  const messages = parsed.data.messages.map(toMessage);
  const tools = parsed.data.tools ?? [];
  const contentBytes =
    messages.reduce((sum, message) => sum + bytesOf(message), 0) +
    tools.reduce((sum, tool) => sum + utf8Bytes(toJson(tool)), 0);
  const parts = messages.reduce((sum, message) => sum + 1 + message.calls.length, 0) + tools.length;
  const names = new Set(tools.map((tool) => tool.function.name));
  return {
    ok: true,
    request: { messages, tools: names, contentBytes, measureBytes: contentBytes + parts * BYTES_A_PART },
  };
}

function toMessage(message: z.infer<typeof bodySchema>['messages'][number]): PracticeMessage {
  const { content } = message;
  const text = typeof content === 'string' ? content : (content ?? []).map((part) => part.text ?? '').join('\n\n');
  return {
    role: message.role === 'developer' ? 'system' : message.role,
    text,
    calls: (message.tool_calls ?? []).map((call) => ({
      id: call.id,
      name: call.function.name,
      args: tryJson(call.function.arguments),
    })),
    callId: message.tool_call_id ?? null,
  };
}

function bytesOf(message: PracticeMessage): number {
  const calls = message.calls.reduce(
    (sum, call) => sum + jsonStringBytes(call.name) + jsonStringBytes(toJson(call.args)),
    0,
  );
  return (message.text === '' ? 0 : jsonStringBytes(message.text)) + calls;
}

function tryJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
