import { isRecord } from '@/server/contract/is-record';
import { asObject } from '../error-facts';
import {
  countFakeTokens,
  type Fields,
  firstOf,
  LONE_SURROGATE,
  type Refusal,
  type StrictCall,
  type StrictProtocol,
  toObjects,
  toText,
} from './strict-request';

const messagesOf = (call: StrictCall) => toObjects(call.body.messages);
const blocksOf = (message: Fields | undefined) =>
  typeof message?.content === 'string' ? [{ type: 'text', text: message.content }] : toObjects(message?.content);
const idsOf = (message: Fields | undefined, type: string, field: string) =>
  blocksOf(message).flatMap((block) => (block.type === type ? [toText(block[field])] : []));
const allBlocks = (call: StrictCall) => messagesOf(call).flatMap(blocksOf);

/** Walks every block with its place, the way the server names it. */
function findBlock(call: StrictCall, find: (block: Fields, place: string) => string | null): string | null {
  return firstOf(messagesOf(call), (message, at) =>
    firstOf(blocksOf(message), (block, index) => find(block, `messages.${at}.content.${index}`)),
  );
}

/** The thinking budget where one is set. */
const budgetOf = (call: StrictCall) => {
  const thinking = asObject(call.body.thinking);
  return thinking.type === 'enabled' ? Number(thinking.budget_tokens) : null;
};

/** What Anthropic's Messages API refuses. */
const REFUSALS: readonly Refusal[] = [
  LONE_SURROGATE,
  {
    id: 'body_limit',
    source: 'https://docs.anthropic.com/en/api/errors (32 MB a request)',
    seen: '2026-11-30',
    status: 413,
    code: 'request_too_large',
    find: ({ bytes }) => (bytes > 32_000_000 ? 'Request exceeds the maximum size' : null),
  },
  {
    id: 'role',
    source: 'https://docs.anthropic.com/en/api/messages (user and assistant only; system is a field)',
    seen: '2026-11-30',
    find: (call) =>
      firstOf(messagesOf(call), ({ role }, at) =>
        role === 'user' || role === 'assistant' ? null : `messages.${at}.role: Input should be 'user' or 'assistant'`,
      ),
  },
  {
    id: 'first_role',
    source: 'https://docs.anthropic.com/en/api/messages (a conversation begins with user)',
    seen: '2026-11-30',
    find: (call) => (messagesOf(call)[0]?.role === 'user' ? null : 'messages: first message must use the "user" role'),
  },
  {
    id: 'last_role',
    source: 'https://platform.claude.com/docs/en/about-claude/models/whats-new-claude-4-6 (no prefill)',
    seen: '2026-11-30',
    find: (call) =>
      messagesOf(call).at(-1)?.role === 'user'
        ? null
        : 'This model does not support assistant message prefill. The conversation must end with a user message.',
  },
  {
    id: 'empty_content',
    source: 'https://github.com/simonw/llm-anthropic/releases/tag/0.30',
    seen: '2026-11-30',
    find: (call) =>
      firstOf(messagesOf(call), (message, at) =>
        blocksOf(message).length === 0
          ? `messages.${at}: all messages must have non-empty content except for the optional final assistant message`
          : null,
      ),
  },
  {
    id: 'empty_text',
    source: 'https://github.com/anthropics/claude-code/issues/62396',
    seen: '2026-05-26',
    find: (call) =>
      findBlock(call, (block) => {
        if (block.type !== 'text' || toText(block.text).trim() !== '') return null;
        return toText(block.text) === ''
          ? 'messages: text content blocks must be non-empty'
          : 'messages: text content blocks must contain non-whitespace text';
      }),
  },
  {
    id: 'missing_result',
    source: 'https://github.com/anthropics/claude-code/issues/8210',
    seen: '2025-09-26',
    find: (call) =>
      firstOf(messagesOf(call), (message, at) => {
        const answered = idsOf(messagesOf(call)[at + 1], 'tool_result', 'tool_use_id');
        const open = idsOf(message, 'tool_use', 'id').filter((id) => !answered.includes(id));
        return open.length === 0
          ? null
          : `messages.${at}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${open.join(', ')}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`;
      }),
  },
  {
    id: 'orphan_result',
    source: 'https://github.com/anthropics/claude-code/issues/18947',
    seen: '2026-01-18',
    find: (call) =>
      firstOf(messagesOf(call), (message, at) => {
        const asked = at === 0 ? [] : idsOf(messagesOf(call)[at - 1], 'tool_use', 'id');
        const orphan = idsOf(message, 'tool_result', 'tool_use_id').find((id) => !asked.includes(id));
        return orphan === undefined
          ? null
          : `messages.${at}.content.0: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${orphan}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`;
      }),
  },
  {
    id: 'double_result',
    source: 'https://docs.anthropic.com/en/docs/agents-and-tools/tool-use/implement-tool-use (one result a call)',
    seen: '2026-11-30',
    find: (call) =>
      firstOf(messagesOf(call), (message, at) => {
        const ids = idsOf(message, 'tool_result', 'tool_use_id');
        return new Set(ids).size === ids.length
          ? null
          : `messages.${at}.content: each tool_use must have a single result. Found multiple \`tool_result\` blocks with id: ${ids[0]}`;
      }),
  },
  {
    id: 'result_after_text',
    source: 'https://docs.anthropic.com/en/docs/agents-and-tools/tool-use/implement-tool-use (results come first)',
    seen: '2026-11-30',
    find: (call) =>
      firstOf(messagesOf(call), (message, at) => {
        const types = blocksOf(message).map(({ type }) => type);
        const firstOther = types.findIndex((type) => type !== 'tool_result');
        return firstOther >= 0 && types.lastIndexOf('tool_result') > firstOther
          ? `messages.${at}: \`tool_result\` blocks must come before other content`
          : null;
      }),
  },
  {
    id: 'call_id',
    source: 'https://docs.anthropic.com/en/api/messages (pattern of tool_use.id)',
    seen: '2026-11-30',
    find: (call) =>
      findBlock(call, (block, place) =>
        block.type === 'tool_use' && !/^[a-zA-Z0-9_-]{1,64}$/.test(toText(block.id))
          ? `${place}.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'`
          : null,
      ),
  },
  {
    id: 'double_call_id',
    source: 'https://docs.anthropic.com/en/api/messages (ids are unique)',
    seen: '2026-11-30',
    find: (call) => {
      const ids = messagesOf(call).flatMap((message) => idsOf(message, 'tool_use', 'id'));
      return new Set(ids).size === ids.length ? null : 'messages: `tool_use` ids must be unique';
    },
  },
  {
    id: 'arguments',
    source: 'https://docs.anthropic.com/en/api/messages (tool_use.input is an object)',
    seen: '2026-11-30',
    find: (call) =>
      findBlock(call, (block, place) =>
        block.type === 'tool_use' && !isRecord(block.input)
          ? `${place}.tool_use.input: Input should be a valid dictionary`
          : null,
      ),
  },
  {
    id: 'undefined_tools',
    source: 'https://docs.anthropic.com/en/docs/agents-and-tools/tool-use/overview (calls or results without tools)',
    seen: '2026-11-30',
    find: (call) =>
      allBlocks(call).some(({ type }) => type === 'tool_use' || type === 'tool_result') &&
      toObjects(call.body.tools).length === 0
        ? 'Requests which include `tool_use` or `tool_result` blocks must define tools'
        : null,
  },
  {
    id: 'signature',
    source: 'https://github.com/anthropics/anthropic-sdk-python/issues/1598 (altered, or of another model)',
    seen: '2026-08-05',
    find: (call) =>
      findBlock(call, (block, place) => {
        if (block.type === 'thinking' && !call.wasIssued(toText(block.signature), toText(block.thinking)))
          return `${place}: Invalid \`signature\` in \`thinking\` block`;
        return block.type === 'redacted_thinking' && !call.wasIssued(toText(block.data))
          ? `${place}: Invalid \`data\` in \`redacted_thinking\` block`
          : null;
      }),
  },
  {
    id: 'unfinished_thinking',
    source: 'https://github.com/lbjlaq/Antigravity-Manager/issues/139 (quotes the answer in full)',
    seen: '2025-12-28',
    find: (call) => {
      if (budgetOf(call) === null || idsOf(messagesOf(call).at(-1), 'tool_result', 'tool_use_id').length === 0)
        return null;
      const type = blocksOf(messagesOf(call).at(-2))[0]?.type;
      return type === 'thinking' || type === 'redacted_thinking'
        ? null
        : `messages.${messagesOf(call).length - 2}.content.0.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`${String(type)}\`. When \`thinking\` is enabled, a final \`assistant\` message must start with a thinking block.`;
    },
  },
  {
    id: 'thinking_kind',
    source: 'https://github.com/earendil-works/pi/issues/3297',
    seen: '2026-04-16',
    find: (call) =>
      budgetOf(call) !== null && /opus-4-[78]/.test(call.model)
        ? '"thinking.type.enabled" is not supported for this model. Use "thinking.type.adaptive" and "output_config.effort" to control thinking behavior.'
        : null,
  },
  {
    id: 'thinking_budget',
    source: 'https://docs.anthropic.com/en/docs/build-with-claude/extended-thinking (at least 1,024, under max_tokens)',
    seen: '2026-11-30',
    find: (call) => {
      const budget = budgetOf(call);
      if (budget === null) return null;
      if (!(budget >= 1_024)) return 'thinking.enabled.budget_tokens: Input should be greater than or equal to 1024';
      return budget < Number(call.body.max_tokens)
        ? null
        : '`max_tokens` must be greater than `thinking.budget_tokens`';
    },
  },
  {
    id: 'ceiling',
    source: 'case-D07; https://docs.anthropic.com/en/docs/about-claude/models/overview (max output)',
    seen: '2026-11-30',
    find: ({ body, limits, model }) => {
      if (typeof body.max_tokens !== 'number') return 'max_tokens: Field required';
      return limits.maxOutputTokens !== null && body.max_tokens > limits.maxOutputTokens
        ? `max_tokens: ${body.max_tokens} > ${limits.maxOutputTokens}, which is the maximum allowed number of output tokens for ${model}`
        : null;
    },
  },
  {
    id: 'cache_marks',
    source: 'https://docs.anthropic.com/en/docs/build-with-claude/prompt-caching (four marks)',
    seen: '2026-11-30',
    find: ({ text }) => {
      const found = text.match(/"cache_control":\{/g)?.length ?? 0;
      return found > 4 ? `A maximum of 4 blocks with cache_control may be provided. Found ${found}.` : null;
    },
  },
  {
    id: 'image_bytes',
    source: 'https://github.com/anthropics/claude-code/issues/14887 (5 MB of base64 an image)',
    seen: '2025-12-20',
    find: (call) =>
      findBlock(call, (block, place) => {
        const size = toText(asObject(block.source).data).length;
        return size > 5_242_880
          ? `${place}.image.source: image exceeds 5 MB maximum: ${size} bytes > 5242880 bytes`
          : null;
      }),
  },
  {
    id: 'window',
    source: 'case-D05 (prompt is too long: N tokens > M maximum)',
    seen: '2026-11-30',
    find: ({ text, body, limits }) => {
      if (limits.windowTokens === null) return null;
      const tokens = countFakeTokens(text);
      if (tokens > limits.windowTokens) return `prompt is too long: ${tokens} tokens > ${limits.windowTokens} maximum`;
      const asked = Number(body.max_tokens);
      return tokens + asked > limits.windowTokens
        ? `input length and \`max_tokens\` exceed context limit: ${tokens} + ${asked} > ${limits.windowTokens}, decrease input length or \`max_tokens\` and try again`
        : null;
    },
  },
];

export const STRICT_ANTHROPIC: StrictProtocol = {
  refusals: REFUSALS,
  modelOf: ({ body }) => toText(body.model),
  toError: ({ status = 400, code = 'invalid_request_error' }, message) => ({
    status,
    body: { type: 'error', error: { type: code, message }, request_id: 'req_fake' },
  }),
};
