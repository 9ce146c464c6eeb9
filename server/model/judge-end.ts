import { ASSUMED_BYTES_A_TOKEN } from '@/server/core/budget/calibrate';
import { SMALLER_WINDOW } from '@/server/core/turn/model-call';
import type { ModelEndPart, ModelRequest, ProviderTrouble } from '@/server/ports/model';
import { classifyError, toTrouble } from './classify-error';
import type { ProviderConnection } from './connection';
import type { ReplyFacts } from './from-part';
import { isNatural, isOverflowByLength, NEARLY_FULL, toEnd } from './gate';
import type { Target } from './target';
import { toSendable } from './well-formed';

/** The call that ended: what was asked of whom, and whether somebody stopped it. */
export interface EndedCall {
  readonly connection: ProviderConnection;
  readonly target: Target;
  readonly request: ModelRequest;
  readonly isStopped: boolean;
  readonly nowMs: number;
}

/** What its stream showed. `endedByUs` says why where we ended it ourselves: a stall, a reply without end. */
export interface SeenStream {
  readonly facts: ReplyFacts;
  readonly ceiling: number | null;
  readonly requestBytes: number;
  readonly endedByUs: ProviderTrouble | null;
}

/** The end part of a call: the gate of stack 6g, and where it did not hold, why, in one classified trouble. */
export function judgeEnd(call: EndedCall, seen: SeenStream): ModelEndPart {
  const { facts, ceiling, requestBytes } = seen;
  const failed = facts.failed || facts.finishReason === null;
  const outcome = {
    kind: call.target.kind,
    finishReason: facts.finishReason,
    rawEnd: facts.rawEnd,
    failed,
    textIsBlank: facts.text.trim() === '',
    calls: facts.calls,
    outputTokens: facts.usage.output,
    ceiling,
  };
  const shared = { type: 'end', rawEnd: facts.rawEnd, usage: facts.usage, requestBytes, ceiling } as const;
  if (call.isStopped)
    return { ...shared, end: 'cancelled', natural: false, trouble: toTrouble('cancelled', { text: 'Stopped.' }) };
  if (seen.endedByUs !== null) return { ...shared, end: 'error', natural: false, trouble: seen.endedByUs };
  const end = toEnd(outcome);
  const natural = isNatural(outcome);
  return {
    ...shared,
    end,
    natural,
    trouble: natural || end === 'tool_calls' ? null : explainEnd(call, { ...seen, end }),
  };
}

function explainEnd(call: EndedCall, seen: SeenStream & { readonly end: ModelEndPart['end'] }): ProviderTrouble | null {
  const { facts, end } = seen;
  if (facts.failed && facts.error !== undefined && facts.finishReason !== 'content-filter')
    return explainError(call, facts);
  if (end === 'refusal')
    return toTrouble('refusal', { code: facts.rawEnd ?? 'refusal', text: 'The model declined to answer.' });
  if (end === 'length') return explainLength(call, seen);
  if (end === 'stop')
    return toTrouble('incomplete', { code: 'empty', text: 'The model ended its reply without any text.' });
  if (facts.rawEnd === null)
    return toTrouble('network', { code: 'cut_off', text: 'The answer broke off before its end.' });
  return toTrouble('incomplete', {
    code: facts.rawEnd,
    text: `The model stopped in an unusual way: ${toSendable(facts.rawEnd).slice(0, 80)}.`,
  });
}

function explainError(call: EndedCall, facts: ReplyFacts): ProviderTrouble {
  const { request, connection } = call;
  const trouble = classifyError(facts.error, {
    secrets: [connection.apiKey ?? '', ...Object.values(connection.headers)].filter((secret) => secret !== ''),
    prompt: [request.system, ...request.entries.flatMap(textsOf)],
    nowMs: call.nowMs,
  });
  // The SDK's own words for a body that ended without a finish (stack 6a).
  const isCutOff =
    trouble.status === null && /without a finish reason|No output generated|did not contain/i.test(trouble.text);
  return isCutOff ? toTrouble('network', { code: 'cut_off', text: 'The answer broke off before its end.' }) : trouble;
}

function textsOf(entry: ModelRequest['entries'][number]): string[] {
  if (entry.role === 'tool') return entry.results.map((result) => result.text);
  return entry.parts.flatMap((part) => (part.type === 'text' ? [part.text] : []));
}

function explainLength(call: EndedCall, seen: SeenStream): ProviderTrouble | null {
  const { facts, ceiling } = seen;
  const estimatedInputTokens = Math.ceil(call.request.measureBytes / call.request.bytesPerToken);
  const isOverflow =
    facts.rawEnd === 'model_context_window_exceeded' ||
    isOverflowByLength({
      end: 'length',
      outputTokens: facts.usage.output,
      ceiling,
      inputTokens: facts.usage.input,
      estimatedInputTokens,
      window: call.target.window,
    });
  if (!isOverflow) return null;
  const text = 'The window was full before the reply was finished.';
  const seemingTokens = toSeemingWindow(call, facts.usage, estimatedInputTokens);
  if (seemingTokens === null) return toTrouble('context', { code: facts.rawEnd ?? 'length', text });
  return { ...toTrouble('context', { code: SMALLER_WINDOW, text }), reportedWindowTokens: seemingTokens };
}

/** Fewer tokens are no window of a server, but a number that went wrong. */
const LEAST_WINDOW_TOKENS = 256;

/**
 * A server that cuts the prompt in silence counts what it kept: far under what was sent, though the reply ended because
 * the window was full (case-D09). What it counted is the window it runs with. Only where the bytes a token of this model
 * were measured: an estimate at the assumed two could be as far off by itself.
 */
function toSeemingWindow(call: EndedCall, usage: ReplyFacts['usage'], estimatedTokens: number): number | null {
  const { window } = call.target;
  const isMeasured = call.request.bytesPerToken !== ASSUMED_BYTES_A_TOKEN;
  if (!isMeasured || window === null || usage.input === null || estimatedTokens < NEARLY_FULL * window) return null;
  const tokens = usage.input + (usage.output ?? 0);
  return tokens >= LEAST_WINDOW_TOKENS && tokens < NEARLY_FULL * window ? tokens : null;
}
