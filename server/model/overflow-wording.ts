/**
 * How servers say that a prompt does not fit (collected 2026-11-30). A status and a machine code are asked first
 * (classify-error); wording decides only where a server has nothing better, and never on 401, 403 or 429.
 */
const OVERFLOW_WORDINGS: readonly RegExp[] = [
  /maximum context length/i, // OpenAI, vLLM, OpenRouter, DeepSeek, Together
  /context[_ -]?(length|window|size|limit)[^.]{0,60}(exceed|too (long|large)|reached|overflow|full)/i, // llama.cpp, MiniMax, Bedrock proxies
  /(exceed|greater|longer|larger|more)[^.]{0,80}(context (length|window|size|limit)|n_ctx|max(imum)?_?(model|context|seq)_?len)/i, // LM Studio, llama.cpp, SGLang
  /(prompt|input|request|conversation|messages?)\b[^.]{0,40}(is|are|was|were) too (long|large)\b(?!.*\bbytes\b)/i, // Anthropic, Bedrock, Cohere
  /input token count[^.]{0,60}exceeds/i, // Google
  /prompt (token count|length)[^.]{0,60}(exceeds|is \d+ but)/i, // Copilot, xAI
  /passed \d+ input tokens[^.;]*; the limit is \d+/i,
  /too large for model with \d+ maximum context/i, // Mistral
  /exceeded model token limit/i, // Moonshot
  /too many tokens/i, // Cohere
  /reduce the length of (the|your) (messages|prompt|input)/i, // Groq, OpenAI's older wording
  /(requested|prompt has|contains)[^.]{0,40}\d+ tokens[^.]{0,80}(limit|maximum|allowed|exceed)/i,
];

/** Machine codes that mean it without any doubt. */
export const OVERFLOW_CODES: ReadonlySet<string> = new Set([
  'context_length_exceeded',
  'exceed_context_size_error',
  'context_window_exceeded',
  'model_context_window_exceeded',
  'string_above_max_length_tokens',
  'max_context_length_exceeded',
]);

/** True when the text speaks of a prompt that does not fit the window. A limit on the output alone is not one. */
export function saysOverflow(text: string): boolean {
  return OVERFLOW_WORDINGS.some((wording) => wording.test(text));
}

const WINDOW_NUMBERS: readonly RegExp[] = [
  /maximum context length (?:is|of) (?:only )?([\d,_]+)/i,
  /> ([\d,_]+)(?: maximum| tokens)?/i,
  /exceeds the maximum number of tokens allowed \(([\d,_]+)\)/i,
  /the limit is ([\d,_]+)/i,
  /model with ([\d,_]+) maximum context/i,
  /token limit:? ?(?:of )?([\d,_]+)/i,
  /(?:prompt length|context (?:length|size|window|limit)) (?:is|of) (?:only )?([\d,_]+)/i,
  /exceeds the limit of ([\d,_]+)/i,
  /context size \(([\d,_]+)/i,
  /(?:limit|maximum|max)[^\d.]{0,24}([\d,_]{4,})/i,
];

/** The window in tokens that an overflow error names, or null. Numbers under 256 or above 100 million are not windows. */
export function readReportedWindow(message: string, body: Readonly<Record<string, unknown>>): number | null {
  const named = [body.n_ctx, body.max_model_len, body.context_length].find((value) => typeof value === 'number');
  if (typeof named === 'number') return plausible(named);
  for (const pattern of WINDOW_NUMBERS) {
    const found = pattern.exec(message)?.[1];
    const value = found === undefined ? null : plausible(Number(found.replaceAll(/[,_]/g, '')));
    if (value !== null) return value;
  }
  return null;
}

function plausible(tokens: number): number | null {
  return Number.isInteger(tokens) && tokens >= 256 && tokens <= 100_000_000 ? tokens : null;
}

/** The output limit an error names (`max_tokens: 64000 > 8192`, case-D07), or null. */
export function readReportedMaxOutput(message: string): number | null {
  if (!/max_(completion_|output_)?tokens|maxOutputTokens|max output|completion tokens/i.test(message)) return null;
  // Google names the first number that is too many.
  const tooMany = /to ([\d,_]+) \(exclusive\)/i.exec(message)?.[1];
  if (tooMany !== undefined) return Number(tooMany.replaceAll(/[,_]/g, '')) - 1;
  const found =
    /> ([\d,_]+)/.exec(message)?.[1] ??
    /(?:at most|maximum(?: allowed)?(?: value)?(?: is| of)?|less than or equal to|up to|<=) ?([\d,_]+)/i.exec(
      message,
    )?.[1] ??
    /supports? (?:only )?([\d,_]+) (?:output|completion)/i.exec(message)?.[1];
  const value = found === undefined ? Number.NaN : Number(found.replaceAll(/[,_]/g, ''));
  return Number.isInteger(value) && value >= 16 ? value : null;
}
