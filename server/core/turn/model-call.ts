import type { Model, Usage } from '@/server/contract/shapes';

/**
 * What a model call brings, as the state machines see it. The shapes are those of the model port, written down here
 * because the core stands below the ports; a part of the port is one of these as it is.
 */

export type TroubleKind =
  | 'context'
  | 'too_large'
  | 'rate_limit'
  | 'quota'
  | 'overload'
  | 'auth'
  | 'network'
  | 'server'
  | 'refusal'
  | 'invalid_request'
  | 'stall'
  | 'cancelled'
  | 'incomplete'
  | 'unknown';

/** Why a call did not end naturally, classified once, at birth (G4). Tokens and ms where named. */
export interface Trouble {
  readonly kind: TroubleKind;
  readonly status: number | null;
  readonly code: string | null;
  readonly text: string;
  readonly requestId: string | null;
  readonly retryAfterMs: number | null;
  readonly reportedWindowTokens: number | null;
  readonly reportedMaxOutputTokens: number | null;
}

/** Code of an overflow whose `reportedWindowTokens` nobody named: the server counted far less than it was sent (case-D09). */
export const SMALLER_WINDOW = 'smaller_window';

/** Always the last part of a call, exactly once. */
export interface ReplyEnd {
  readonly type: 'end';
  readonly end: 'stop' | 'tool_calls' | 'length' | 'refusal' | 'cancelled' | 'error';
  readonly rawEnd: string | null;
  readonly natural: boolean;
  readonly usage: Usage;
  readonly requestBytes: number;
  readonly ceiling: number | null;
  readonly trouble: Trouble | null;
}

export interface ReplyText {
  readonly type: 'text' | 'reasoning';
  readonly part: number;
  readonly text: string;
}

export interface ReplyCall {
  readonly type: 'tool_call';
  readonly part: number;
  readonly callId: string;
  readonly name: string;
  readonly args: unknown;
  /** The arguments were no JSON object: what was wrong. The call is then answered, not run. */
  readonly argsError: string | null;
}

export interface ReplyArtifact {
  readonly type: 'artifact';
  readonly part: number;
  readonly kind: string;
  readonly data: string;
}

export type ReplyPart = ReplyText | ReplyCall | ReplyArtifact | ReplyEnd;

/** Where a call stands in its chain. `attempt` counts all requests sent so far, `triesUsed` those of this model. */
export interface RetryPosition {
  readonly chain: readonly Model[];
  readonly index: number;
  readonly triesUsed: number;
  readonly attempt: number;
}

/** The next thing to do after a trouble, as data: whoever runs it owns the clock and the stop button. */
export type RetryCommand =
  | { readonly do: 'wait'; readonly model: Model; readonly waitMs: number }
  | { readonly do: 'advance'; readonly from: Model; readonly model: Model }
  | { readonly do: 'give_up'; readonly why: 'not_retryable' | 'exhausted' | 'cancelled' };

/** The retry policy with its limits and jitter already in it: handed in, so that the machines know no clock. */
export type StepRetry = (position: RetryPosition, trouble: Trouble) => RetryStep;

export interface RetryStep {
  readonly state: RetryPosition;
  readonly command: RetryCommand;
}

/** The position before the first request of a chain. */
export function startOfChain(chain: readonly Model[]): RetryPosition {
  return { chain, index: 0, triesUsed: 1, attempt: 1 };
}

/** What of a trouble may be kept in the log: status, code, bounded text, request id (G4). */
export function toDetail(trouble: Trouble) {
  const { status, code, text, requestId } = trouble;
  return { status, code, text: text === '' ? null : text.slice(0, 500), requestId };
}

/** Equal pairs of provider and model. */
export function isSameModel(a: Model, b: Model): boolean {
  return a.provider === b.provider && a.model === b.model;
}
