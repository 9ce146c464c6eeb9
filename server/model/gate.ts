import type { ModelEnd, ProviderKind } from '@/server/ports/model';

/** What one finished stream showed. `failed`: an error part, an abort, a throw, or no finish part at all. */
export interface StreamOutcome {
  readonly kind: ProviderKind;
  readonly finishReason: string | null;
  readonly rawEnd: string | null;
  readonly failed: boolean;
  readonly textIsBlank: boolean;
  readonly calls: number;
  readonly outputTokens: number | null;
  readonly ceiling: number | null;
}

/** The raw reasons by which each protocol says "I said all I wanted" (stack 6g). Responses says it by saying nothing. */
const NATURAL_ENDS: Readonly<Record<ProviderKind, string | null>> = {
  'openai-compatible': 'stop',
  embedded: 'stop',
  openai: null,
  anthropic: 'end_turn',
  google: 'STOP',
};

/** Raw reasons that stand beside complete tool calls. Local servers say `stop` there (Ollama, 2026). */
const CALL_ENDS: Readonly<Record<ProviderKind, readonly (string | null)[]>> = {
  'openai-compatible': ['tool_calls', 'function_call', 'stop'],
  embedded: ['tool_calls'],
  openai: [null],
  anthropic: ['tool_use'],
  google: ['STOP'],
};

/** The gate of stack 6g: true only for a plain, complete, natural end with text. An output at its ceiling was cut, whatever it says. */
export function isNatural(outcome: StreamOutcome): boolean {
  return (
    !outcome.failed && outcome.calls === 0 && !outcome.textIsBlank && isNaturalEnd(outcome) && !isAtCeiling(outcome)
  );
}

/** How the reply ended, in the words of the contract. Calls may run only at `tool_calls`. */
export function toEnd(outcome: StreamOutcome): ModelEnd {
  if (outcome.failed) return 'error';
  switch (outcome.finishReason) {
    case 'length':
      return 'length';
    case 'content-filter':
      return 'refusal';
    case 'stop':
    case 'tool-calls':
      return toCompleteEnd(outcome);
    default:
      return 'error';
  }
}

function toCompleteEnd(outcome: StreamOutcome): ModelEnd {
  if (outcome.calls > 0) return CALL_ENDS[outcome.kind].includes(outcome.rawEnd) ? 'tool_calls' : 'error';
  if (!isNaturalEnd(outcome)) return 'error';
  return isAtCeiling(outcome) ? 'length' : 'stop';
}

function isNaturalEnd(outcome: StreamOutcome): boolean {
  return outcome.finishReason === 'stop' && outcome.rawEnd === NATURAL_ENDS[outcome.kind];
}

function isAtCeiling(outcome: StreamOutcome): boolean {
  return outcome.ceiling !== null && outcome.outputTokens !== null && outcome.outputTokens >= outcome.ceiling;
}

/** This much of a window is as good as all of it. */
export const NEARLY_FULL = 0.9;

/**
 * Contract 10: a `length` end is an overflow when the window is full, not the ceiling: output under half of the ceiling
 * (or none sent) and reported or estimated input ≥ 0.9 of the window (case-D09). Unknown window: never.
 */
export function isOverflowByLength(seen: {
  readonly end: ModelEnd;
  readonly outputTokens: number | null;
  readonly ceiling: number | null;
  readonly inputTokens: number | null;
  readonly estimatedInputTokens: number;
  readonly window: number | null;
}): boolean {
  if (seen.end !== 'length' || seen.window === null) return false;
  const short = seen.ceiling === null || (seen.outputTokens ?? 0) < seen.ceiling / 2;
  return short && Math.max(seen.inputTokens ?? 0, seen.estimatedInputTokens) >= NEARLY_FULL * seen.window;
}
