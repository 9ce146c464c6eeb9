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

const itemsOf = (call: StrictCall) => toObjects(call.body.input);
const isCall = (item: Fields | undefined) => item?.type === 'function_call';
const isReasoning = (item: Fields | undefined) => item?.type === 'reasoning';
const isAnswer = (item: Fields | undefined) => item?.role === 'assistant' || isCall(item);
const effortOf = ({ body }: StrictCall) => asObject(body.reasoning).effort;

/** Reasoning efforts a model takes, as OpenAI's pages and answers said on 2026-11-30; null: any. */
function effortsOf(model: string): readonly string[] | null {
  if (/^gpt-5(-(mini|nano))?(-\d{4}.*)?$/.test(model)) return ['minimal', 'low', 'medium', 'high'];
  if (/^gpt-5\.1(-\d{4}.*)?$/.test(model)) return ['none', 'low', 'medium', 'high'];
  if (/^gpt-5\.[2-9](-(mini|nano))?(-\d{4}.*)?$/.test(model)) return ['none', 'low', 'medium', 'high', 'xhigh'];
  if (/^gpt-5[.\d]*-codex/.test(model) || /^o[134]/.test(model)) return ['low', 'medium', 'high', 'xhigh'];
  return /^gpt-4/.test(model) ? [] : null;
}

/** What OpenAI's Responses API refuses. */
const REFUSALS: readonly Refusal[] = [
  LONE_SURROGATE,
  {
    id: 'body_limit',
    source: 'https://platform.openai.com/docs/guides/images-vision (50 MB of images a request)',
    seen: '2026-11-30',
    status: 413,
    code: 'request_too_large',
    find: ({ bytes }) => (bytes > 50_000_000 ? 'Maximum content size limit exceeded' : null),
  },
  {
    id: 'role',
    source: 'https://platform.openai.com/docs/api-reference/responses/create',
    seen: '2026-11-30',
    find: (call) =>
      firstOf(itemsOf(call), ({ role, type }, at) =>
        role === undefined ||
        ['user', 'assistant', 'system', 'developer'].includes(toText(role)) ||
        toText(type) === 'function_call_output'
          ? null
          : `Invalid value: '${String(role)}'. (input[${at}].role)`,
      ),
  },
  {
    id: 'empty_content',
    source: 'contract 10 (stricter than the page, which takes an empty text)',
    seen: '2026-11-30',
    find: (call) =>
      firstOf(itemsOf(call), ({ role, content }, at) => {
        if (role === undefined) return null;
        const parts = typeof content === 'string' ? [{ text: content }] : toObjects(content);
        const isEmpty = parts.length === 0 || parts.some((part) => 'text' in part && toText(part.text).trim() === '');
        return isEmpty ? `Invalid 'input[${at}].content': empty array or text.` : null;
      }),
  },
  {
    id: 'orphan_result',
    source: 'https://github.com/microsoft/vscode/issues/320060',
    seen: '2026-06-05',
    find: (call) =>
      firstOf(itemsOf(call), (item, at) => {
        if (item.type !== 'function_call_output') return null;
        const asked = itemsOf(call)
          .slice(0, at)
          .some((before) => isCall(before) && before.call_id === item.call_id);
        return asked ? null : `No tool call found for function call output with call_id ${toText(item.call_id)}.`;
      }),
  },
  {
    id: 'missing_result',
    source: 'https://github.com/bytedance/trae-agent/issues/245',
    seen: '2025-08-04',
    find: (call) =>
      firstOf(itemsOf(call), (item, at) => {
        if (!isCall(item)) return null;
        const behind = itemsOf(call).slice(at + 1);
        // In its own batch: before anybody speaks again.
        const end = behind.findIndex((next) => next.role !== undefined);
        const batch = end < 0 ? behind : behind.slice(0, end);
        const has = batch.some((next) => next.type === 'function_call_output' && next.call_id === item.call_id);
        return has ? null : `No tool output found for function call ${toText(item.call_id)}.`;
      }),
  },
  {
    id: 'double_call_id',
    source: 'case-B01 (one output a call, and ids that tell calls apart)',
    seen: '2026-11-30',
    find: (call) => {
      const of = (type: string) => itemsOf(call).flatMap((item) => (item.type === type ? [item.call_id] : []));
      const twice = [of('function_call'), of('function_call_output')].some((ids) => new Set(ids).size !== ids.length);
      return twice
        ? 'Duplicate item found with the same call_id. Remove duplicate items from your input and try again.'
        : null;
    },
  },
  {
    id: 'call_id',
    source: 'https://github.com/AnswerDotAI/fastllm/issues/45',
    seen: '2026-06-08',
    code: 'string_above_max_length',
    find: (call) =>
      firstOf(itemsOf(call), ({ call_id: id }, at) =>
        toText(id).length > 64
          ? `Invalid 'input[${at}].call_id': string too long. Expected a string with maximum length 64, but got a string with length ${toText(id).length} instead.`
          : null,
      ),
  },
  {
    id: 'arguments',
    source: 'https://platform.openai.com/docs/guides/function-calling (a JSON object as text)',
    seen: '2026-11-30',
    find: (call) =>
      firstOf(itemsOf(call), (item, at) =>
        isCall(item) && !isObjectJson(item.arguments)
          ? `Invalid 'input[${at}].arguments': expected a JSON object.`
          : null,
      ),
  },
  {
    id: 'signature',
    source: 'https://github.com/openai/codex/issues/8145 (foreign or altered encrypted content)',
    seen: '2025-12-16',
    code: 'invalid_encrypted_content',
    find: (call) =>
      firstOf(itemsOf(call), (item) =>
        isReasoning(item) && typeof item.encrypted_content === 'string' && !call.wasIssued(item.encrypted_content)
          ? `The encrypted content for item ${toText(item.id)} could not be verified. Reason: Encrypted content could not be decrypted or parsed.`
          : null,
      ),
  },
  {
    id: 'not_stored',
    source: 'https://github.com/earendil-works/pi/issues/5059 (store: false)',
    seen: '2026-05-27',
    status: 404,
    find: (call) =>
      firstOf(itemsOf(call), (item) => {
        const isBare = isReasoning(item) && typeof item.encrypted_content !== 'string';
        return item.type === 'item_reference' || isBare
          ? `Item with id '${toText(item.id)}' not found. Items are not persisted when \`store\` is set to false. Try again with \`store\` set to true, or remove this item from your input.`
          : null;
      }),
  },
  {
    id: 'reasoning_alone',
    source: 'https://github.com/vercel/ai/issues/7099 (case-B06)',
    seen: '2025-11-05',
    find: (call) =>
      firstOf(itemsOf(call), (item, at) => {
        const next = itemsOf(call)[at + 1];
        return isReasoning(item) && !isReasoning(next) && !isAnswer(next)
          ? `Item '${toText(item.id)}' of type 'reasoning' was provided without its required following item.`
          : null;
      }),
  },
  {
    id: 'follower_alone',
    source: 'https://github.com/openai/openai-agents-python/issues/2727 (case-B06)',
    seen: '2026-11-30',
    find: (call) =>
      firstOf(itemsOf(call), (item, at) =>
        isAnswer(item) && typeof item.id === 'string' && !itemsOf(call).slice(0, at).some(isReasoning)
          ? `Item '${item.id}' of type '${isCall(item) ? 'function_call' : 'message'}' was provided without its required 'reasoning' item.`
          : null,
      ),
  },
  {
    id: 'effort',
    source: 'https://github.com/anomalyco/opencode/issues/4451',
    seen: '2025-11-18',
    code: 'unsupported_value',
    find: (call) => {
      const [effort, taken] = [effortOf(call), effortsOf(call.model)];
      if (effort === undefined || taken === null || taken.includes(toText(effort))) return null;
      return taken.length === 0
        ? "Unsupported parameter: 'reasoning.effort' is not supported with this model."
        : `Unsupported value: '${toText(effort)}' is not supported with the '${call.model}' model. Supported values are: ${taken.map((value) => `'${value}'`).join(', ')}.`;
    },
  },
  {
    id: 'ceiling',
    source: 'case-D07; https://platform.openai.com/docs/models',
    seen: '2026-11-30',
    find: ({ body, limits }) => {
      const asked = body.max_output_tokens;
      if (typeof asked !== 'number') return null;
      if (asked < 16)
        return `Invalid 'max_output_tokens': integer below minimum value. Expected a value >= 16, but got ${asked} instead.`;
      return limits.maxOutputTokens !== null && asked > limits.maxOutputTokens
        ? `Invalid 'max_output_tokens': integer above maximum value. Expected a value <= ${limits.maxOutputTokens}, but got ${asked} instead.`
        : null;
    },
  },
  {
    id: 'window',
    source: 'case-D05 (names no number)',
    seen: '2026-11-30',
    code: 'context_length_exceeded',
    find: ({ text, body, limits }) => {
      const asked = typeof body.max_output_tokens === 'number' ? body.max_output_tokens : 0;
      return limits.windowTokens !== null && countFakeTokens(text) + asked > limits.windowTokens
        ? 'Your input exceeds the context window of this model. Please adjust your input and try again.'
        : null;
    },
  },
];

export const STRICT_RESPONSES: StrictProtocol = {
  refusals: REFUSALS,
  modelOf: ({ body }) => toText(body.model),
  toError: ({ status = 400, code = null }, message) => ({
    status,
    body: { error: { message, type: 'invalid_request_error', param: 'input', code } },
  }),
};
