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

/** Google's documented value for a call that another model made (https://ai.google.dev/gemini-api/docs/thought-signatures). */
const SKIP_SIGNATURE = 'skip_thought_signature_validator';

const contentsOf = (call: StrictCall) => toObjects(call.body.contents);
const partsOf = (content: Fields | undefined) => toObjects(content?.parts);
const callsOf = (content: Fields | undefined) =>
  partsOf(content).flatMap((part) => (part.functionCall === undefined ? [] : [asObject(part.functionCall)]));
const resultsOf = (content: Fields | undefined) =>
  partsOf(content).flatMap((part) => (part.functionResponse === undefined ? [] : [asObject(part.functionResponse)]));
const isGemini3 = ({ model }: StrictCall) => /gemini-3/.test(model);

/** The running turn begins at the last content of the user that holds more than results. */
function turnStart(call: StrictCall): number {
  return contentsOf(call).findLastIndex(
    (content) => content.role === 'user' && partsOf(content).some((part) => part.functionResponse === undefined),
  );
}

const configOf = ({ body }: StrictCall) => asObject(body.generationConfig);

/** What Gemini's `generateContent` refuses. */
const REFUSALS: readonly Refusal[] = [
  LONE_SURROGATE,
  {
    id: 'body_limit',
    source: 'https://ai.google.dev/gemini-api/docs/image-understanding (20 MB a request with inline data)',
    seen: '2026-11-30',
    find: ({ bytes }) => (bytes > 20_971_520 ? 'Request payload size exceeds the limit: 20971520 bytes.' : null),
  },
  {
    id: 'role',
    source: 'https://ai.google.dev/api/caching#Content',
    seen: '2026-11-30',
    find: (call) =>
      firstOf(contentsOf(call), ({ role }) =>
        role === 'user' || role === 'model' ? null : 'Please use a valid role: user, model.',
      ),
  },
  {
    id: 'last_role',
    source: 'https://ai.google.dev/gemini-api/docs/text-generation#multi-turn-conversations',
    seen: '2026-11-30',
    find: (call) =>
      contentsOf(call).at(-1)?.role === 'user'
        ? null
        : 'Please ensure that single turn requests end with a user role or the role field is empty.',
  },
  {
    id: 'empty_content',
    source: 'https://github.com/vercel/ai/issues/3775',
    seen: '2026-07-22',
    find: (call) =>
      firstOf(contentsOf(call), (content, at) =>
        partsOf(content).length === 0
          ? `* GenerateContentRequest.contents[${at}].parts: contents.parts must not be empty.`
          : null,
      ),
  },
  {
    id: 'empty_text',
    source: 'https://github.com/genkit-ai/genkit/issues/3690 (a part without anything in it)',
    seen: '2025-10-09',
    find: (call) =>
      firstOf(contentsOf(call), (content, at) =>
        firstOf(partsOf(content), (part, index) =>
          typeof part.text === 'string' && part.text.trim() === ''
            ? `Unable to submit request because it must have a text parameter (contents[${at}].parts[${index}]).`
            : null,
        ),
      ),
  },
  {
    id: 'call_turn',
    source: 'https://github.com/google-gemini/gemini-cli/issues/26486',
    seen: '2026-05-05',
    find: (call) =>
      firstOf(contentsOf(call), (content, at) =>
        callsOf(content).length > 0 && contentsOf(call)[at - 1]?.role !== 'user'
          ? 'Please ensure that function call turn comes immediately after a user turn or after a function response turn.'
          : null,
      ),
  },
  {
    id: 'orphan_result',
    source: 'https://github.com/GoogleCloudPlatform/generative-ai/pull/368',
    seen: '2024-01-30',
    find: (call) =>
      firstOf(contentsOf(call), (content, at) =>
        resultsOf(content).length > 0 && callsOf(contentsOf(call)[at - 1]).length === 0
          ? 'Please ensure that function response turn comes immediately after a function call turn.'
          : null,
      ),
  },
  {
    id: 'missing_result',
    source: 'https://github.com/google-gemini/gemini-cli/issues/3814 (case-B02)',
    seen: '2025-07-10',
    find: (call) =>
      firstOf(contentsOf(call), (content, at) => {
        const asked = callsOf(content).map(({ name }) => name);
        const given = resultsOf(contentsOf(call)[at + 1]).map(({ name }) => name);
        return asked.length > 0 && JSON.stringify(asked) !== JSON.stringify(given)
          ? 'Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.'
          : null;
      }),
  },
  {
    id: 'arguments',
    source: 'https://ai.google.dev/api/caching#FunctionCall (args and response are objects)',
    seen: '2026-11-30',
    find: (call) =>
      firstOf(contentsOf(call), (content, at) =>
        callsOf(content).every(({ args }) => args === undefined || isRecord(args)) &&
        resultsOf(content).every(({ response }) => isRecord(response))
          ? null
          : `Invalid value at 'contents[${at}].parts' (type.googleapis.com/google.protobuf.Struct)`,
      ),
  },
  {
    id: 'missing_signature',
    source: 'https://github.com/nanbingxyz/5ire/issues/405 (Gemini 3, the running turn)',
    seen: '2026-02-04',
    find: (call) => {
      if (!isGemini3(call)) return null;
      const start = turnStart(call);
      return firstOf(contentsOf(call), (content, at) => {
        const first = partsOf(content).find((part) => part.functionCall !== undefined);
        return at > start && first !== undefined && typeof first.thoughtSignature !== 'string'
          ? `Function call is missing a thought_signature in functionCall parts. Additional data, function call \`default_api:${toText(asObject(first.functionCall).name)}\` , position ${at}.`
          : null;
      });
    },
  },
  {
    id: 'signature',
    source: 'https://ai.google.dev/gemini-api/docs/thought-signatures (foreign or altered)',
    seen: '2026-11-30',
    find: (call) =>
      firstOf(contentsOf(call), (content, at) =>
        firstOf(partsOf(content), ({ thoughtSignature: signature }, index) =>
          typeof signature === 'string' && signature !== SKIP_SIGNATURE && !call.wasIssued(signature)
            ? `Thought signature is not valid. (contents[${at}].parts[${index}].thought_signature)`
            : null,
        ),
      ),
  },
  {
    id: 'thinking_budget',
    source: 'https://ai.google.dev/gemini-api/docs/thinking#set-budget; https://github.com/vercel/ai/issues/8027',
    seen: '2026-07-22',
    find: (call) => {
      const { thinkingBudget: budget, thinkingLevel: level } = asObject(configOf(call).thinkingConfig);
      if (budget === 0 && /gemini-(2\.5-pro|3)/.test(call.model))
        return 'Budget 0 is invalid. This model only works in thinking mode.';
      return level === 'minimal' && /gemini-3[.\d]*-pro/.test(call.model)
        ? 'Thinking level MINIMAL is not supported for this model.'
        : null;
    },
  },
  {
    id: 'ceiling',
    source: 'https://cloud.google.com/vertex-ai/generative-ai/docs (range of maxOutputTokens)',
    seen: '2026-11-30',
    find: (call) => {
      const [asked, most] = [configOf(call).maxOutputTokens, call.limits.maxOutputTokens];
      return typeof asked === 'number' && most !== null && asked > most
        ? `Unable to submit request because it has a maxOutputTokens value of ${asked} but the supported range is from 1 (inclusive) to ${most + 1} (exclusive). Update the value and try again.`
        : null;
    },
  },
  {
    id: 'window',
    source: 'case-D05',
    seen: '2026-11-30',
    find: ({ text, limits }) => {
      const tokens = countFakeTokens(text);
      return limits.windowTokens !== null && tokens > limits.windowTokens
        ? `The input token count (${tokens}) exceeds the maximum number of tokens allowed (${limits.windowTokens}).`
        : null;
    },
  },
];

export const STRICT_GEMINI: StrictProtocol = {
  refusals: REFUSALS,
  modelOf: ({ path }) => /\/models\/([^:/?]+):/.exec(path)?.[1] ?? '',
  toError: ({ status = 400 }, message) => ({
    status,
    body: { error: { code: status, message, status: 'INVALID_ARGUMENT' } },
  }),
};
