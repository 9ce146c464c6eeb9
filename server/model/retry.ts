import type { RetryPosition, RetryStep } from '@/server/core/turn/model-call';
import type { ModelRef, ProviderTrouble, TroubleKind } from '@/server/ports/model';

/** `requests.tries` (each model, the first one counted) and `requests.retry_after_max_seconds`. */
export interface RetryPolicy {
  readonly tries: number;
  readonly retryAfterMaxMs: number;
}

/** Troubles the same model is asked again after. */
const RETRIED: ReadonlySet<TroubleKind> = new Set(['network', 'server', 'overload', 'rate_limit', 'stall']);
/** Troubles after which the next model of the chain may do better. Not a refusal, not a request that is wrong by itself. */
export const ADVANCING: ReadonlySet<TroubleKind> = new Set([
  'network',
  'server',
  'overload',
  'rate_limit',
  'stall',
  'quota',
  'auth',
]);

const LONGEST_WAIT_MS = 16_000;

/**
 * One step of contract 10's "Retries of a model call": 3 tries a model for network, 5xx, overload, rate limit; waits 1 s
 * then 4 s ± 20 %; `retry-after` honoured up to the cap, beyond it the next model at once. `jitter` is 0 … 1, handed in.
 */
export function stepRetry(
  state: RetryPosition,
  seen: { readonly trouble: ProviderTrouble; readonly policy: RetryPolicy; readonly jitter: number },
): RetryStep {
  const { trouble, policy } = seen;
  const model = state.chain[state.index];
  if (trouble.kind === 'cancelled') return giveUp(state, 'cancelled');
  if (model === undefined) return giveUp(state, 'exhausted');
  const waitMs = trouble.retryAfterMs ?? backoffMs(state.triesUsed, seen.jitter);
  if (RETRIED.has(trouble.kind) && state.triesUsed < policy.tries && waitMs <= policy.retryAfterMaxMs) {
    return {
      state: { ...state, triesUsed: state.triesUsed + 1, attempt: state.attempt + 1 },
      command: { do: 'wait', model, waitMs },
    };
  }
  if (!ADVANCING.has(trouble.kind)) return giveUp(state, 'not_retryable');
  return advance(state, model);
}

function advance(state: RetryPosition, from: ModelRef): RetryStep {
  const next = state.chain[state.index + 1];
  if (next === undefined) return giveUp(state, 'exhausted');
  return {
    state: { ...state, index: state.index + 1, triesUsed: 1, attempt: state.attempt + 1 },
    command: { do: 'advance', from, model: next },
  };
}

function backoffMs(triesUsed: number, jitter: number): number {
  const plain = Math.min(1_000 * 4 ** (triesUsed - 1), LONGEST_WAIT_MS);
  return Math.round(plain * (0.8 + 0.4 * jitter));
}

function giveUp(state: RetryPosition, why: 'not_retryable' | 'exhausted' | 'cancelled'): RetryStep {
  return { state, command: { do: 'give_up', why } };
}
