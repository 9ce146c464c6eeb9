import { asObject } from '../error-facts';
import {
  countFakeTokens,
  type Fields,
  firstOf,
  isObjectJson,
  LONE_SURROGATE,
  type Refusal,
  type StrictCall,
  type StrictProtocol,
  toObjects,
  toText,
} from './strict-request';

const messagesOf = (call: StrictCall) => toObjects(call.body.messages);
const callsOf = (message: Fields | undefined) => toObjects(message?.tool_calls);
/** The message before a run of results: the one that asked for them. */
function askerOf(messages: readonly Fields[], at: number): Fields | undefined {
  let before = at - 1;
  while (messages[before]?.role === 'tool') before -= 1;
  return messages[before];
}

/** The results right behind a message. */
function resultsBehind(messages: readonly Fields[], at: number): readonly string[] {
  const ids: string[] = [];
  for (let next = at + 1; messages[next]?.role === 'tool'; next += 1) ids.push(toText(messages[next]?.tool_call_id));
  return ids;
}

function isBlank(content: unknown): boolean {
  if (typeof content === 'string') return content.trim() === '';
  const parts = toObjects(content);
  return parts.length === 0 || parts.some((part) => part.type === 'text' && toText(part.text).trim() === '');
}

const sentCeiling = ({ body }: StrictCall) => {
  const said = body.max_completion_tokens ?? body.max_tokens;
  return typeof said === 'number' ? said : null;
};

/** What servers of the chat completions protocol refuse: OpenAI's own, and the stricter ones behind the same shape. */
const REFUSALS: readonly Refusal[] = [
  LONE_SURROGATE,
  {
    id: 'body_limit',
    source: 'https://portkey.ai/error-library/content-size-limit-error-10534',
    seen: '2026-11-30',
    status: 413,
    code: 'request_too_large',
    find: ({ bytes }) =>
      bytes > 26_214_400 ? `Maximum content size limit (26214400) exceeded (${bytes} bytes read)` : null,
  },
  {
    id: 'role',
    source: 'https://platform.openai.com/docs/api-reference/chat/create',
    seen: '2026-11-30',
    find: (call) =>
      firstOf(messagesOf(call), ({ role }, at) =>
        ['system', 'user', 'assistant', 'tool'].includes(toText(role))
          ? null
          : `Invalid value: '${String(role)}'. Supported values are: 'system', 'assistant', 'user', and 'tool'. (messages[${at}].role)`,
      ),
  },
  {
    id: 'late_system',
    source:
      'chat templates of Qwen and others: https://github.com/ggml-org/llama.cpp (System message must be at the beginning)',
    seen: '2026-11-30',
    find: (call) =>
      messagesOf(call)
        .slice(1)
        .some(({ role }) => role === 'system')
        ? 'System message must be at the beginning.'
        : null,
  },
  {
    id: 'role_order',
    source: 'case-B03; chat templates of Mistral and Gemma, seen through vLLM and llama.cpp',
    seen: '2026-11-30',
    find: (call) => {
      const spoken = messagesOf(call).filter(({ role }) => role !== 'system');
      if (spoken[0]?.role !== 'user') return 'Conversation roles must alternate user/assistant/user/assistant/...';
      const twice = spoken.some(({ role }, at) => at > 0 && role !== 'tool' && role === spoken[at - 1]?.role);
      return twice ? 'Conversation roles must alternate user/assistant/user/assistant/...' : null;
    },
  },
  {
    id: 'user_after_tool',
    source: 'case-B03 (only servers whose template ignores tool turns; contract 10 learns it)',
    seen: '2026-11-30',
    find: (call) => {
      const messages = messagesOf(call);
      const after = messages.some(({ role }, at) => role === 'user' && messages[at - 1]?.role === 'tool');
      return call.limits.strictTemplate && after ? "Unexpected role 'user' after role 'tool'" : null;
    },
  },
  {
    id: 'empty_content',
    source: 'https://github.com/dirge-code/dirge/issues/757 (case-B04)',
    seen: '2026-11-30',
    find: (call) =>
      firstOf(messagesOf(call), (message, at) => {
        if (message.role === 'assistant' && callsOf(message).length > 0) return null;
        return isBlank(message.content)
          ? `Invalid 'messages[${at}].content': message content must not be empty.`
          : null;
      }),
  },
  {
    id: 'orphan_result',
    source: 'https://github.com/miurla/morphic/issues/136',
    seen: '2024-05-11',
    find: (call) =>
      firstOf(messagesOf(call), (message, at) => {
        if (message.role !== 'tool') return null;
        const asked = callsOf(askerOf(messagesOf(call), at)).map(({ id }) => id);
        return asked.includes(message.tool_call_id)
          ? null
          : "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.";
      }),
  },
  {
    id: 'missing_result',
    source: 'https://github.com/spring-ai-community/spring-ai-session/issues/44',
    seen: '2026-09-09',
    find: (call) =>
      firstOf(messagesOf(call), (message, at) => {
        const answered = resultsBehind(messagesOf(call), at);
        const open = callsOf(message).filter(({ id }) => !answered.includes(toText(id)));
        return open.length === 0
          ? null
          : `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${open.map(({ id }) => id).join(', ')}`;
      }),
  },
  {
    id: 'double_result',
    source: 'case-B01 (one result a call, in its own batch)',
    seen: '2026-11-30',
    find: (call) =>
      firstOf(messagesOf(call), (_, at) => {
        const ids = resultsBehind(messagesOf(call), at);
        return new Set(ids).size === ids.length ? null : 'Duplicate value for `tool_call_id` of a tool message.';
      }),
  },
  {
    id: 'call_id',
    source: 'https://github.com/agno-agi/agno/issues/5382',
    seen: '2025-11-11',
    code: 'string_above_max_length',
    find: (call) =>
      firstOf(messagesOf(call), (message, at) =>
        firstOf(callsOf(message), ({ id }, index) =>
          toText(id).length > 40
            ? `Invalid 'messages[${at}].tool_calls[${index}].id': string too long. Expected a string with maximum length 40, but got a string with length ${toText(id).length} instead.`
            : null,
        ),
      ),
  },
  {
    id: 'arguments',
    source: 'https://github.com/NousResearch/hermes-agent/issues/12586 (case-B10)',
    seen: '2026-11-30',
    find: (call) =>
      firstOf(messagesOf(call), (message) =>
        callsOf(message).every((entry) => isObjectJson(asObject(entry.function).arguments))
          ? null
          : 'Invalid tool call arguments: the `arguments` string must hold a JSON object.',
      ),
  },
  {
    id: 'ceiling',
    source: 'case-D07; https://platform.openai.com/docs/models',
    seen: '2026-11-30',
    find: (call) => {
      const [asked, most] = [sentCeiling(call), call.limits.maxOutputTokens];
      return asked !== null && most !== null && asked > most
        ? `max_tokens is too large: ${asked}. This model supports at most ${most} completion tokens, whereas you provided ${asked}.`
        : null;
    },
  },
  {
    id: 'window',
    source: 'case-D05 (vLLM; OpenAI words it alike)',
    seen: '2026-11-30',
    code: 'context_length_exceeded',
    find: (call) => {
      const { windowTokens } = call.limits;
      const tokens = countFakeTokens(call.text);
      const asked = sentCeiling(call) ?? 0;
      return windowTokens !== null && tokens + asked > windowTokens
        ? `This model's maximum context length is ${windowTokens} tokens. However, you requested ${asked} output tokens and your prompt contains at least ${tokens} input tokens`
        : null;
    },
  },
];

export const STRICT_CHAT_COMPLETIONS: StrictProtocol = {
  refusals: REFUSALS,
  modelOf: ({ body }) => toText(body.model),
  toError: ({ status = 400, code = null }, message) => ({
    status,
    body: { error: { message, type: 'invalid_request_error', param: null, code } },
  }),
};
