import type { ToolSchema, ViewMessage } from '@/server/core/projection/view-message';

export interface ModelRef {
  readonly provider: string;
  readonly model: string;
}
export type ProviderKind = 'openai-compatible' | 'openai' | 'anthropic' | 'google' | 'embedded';
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
/** Why a call did not end naturally, classified once, at birth (G4). `text` ≤ 500 bytes, without keys or echoed prompt. */
export interface ProviderTrouble {
  readonly kind: TroubleKind;
  readonly status: number | null;
  readonly code: string | null;
  readonly text: string;
  readonly requestId: string | null;
  readonly retryAfterMs: number | null;
  readonly reportedWindowTokens: number | null;
  readonly reportedMaxOutputTokens: number | null;
}
export interface ModelUsage {
  readonly input: number | null;
  readonly output: number | null;
  readonly cachedRead: number | null;
  readonly cachedWrite: number | null;
  readonly reasoning: number | null;
}
/** One step of one model. Tokens where named; `measureBytes` is contract 7's measure of the whole request. */
export interface ModelRequest {
  readonly model: ModelRef;
  readonly system: string;
  readonly tools: readonly ToolSchema[];
  readonly entries: readonly ViewMessage[];
  readonly measureBytes: number;
  readonly bytesPerToken: number;
  /** Configured output ceiling, or null: none is sent but where the protocol demands one (contract 10). */
  readonly ceilingTokens: number | null;
  /** Index of the first entry of the running turn (signatures), and of the last entry before the plan block (cache mark); null: none. */
  readonly turnFrom: number | null;
  readonly cacheAfter: number | null;
  readonly reasoning: 'default' | 'off' | 'low' | 'medium' | 'high';
  /** Base64 of an image, or null when the log no longer has it. */
  readonly imageData: (sha256: string) => string | null;
}
export type ModelEnd = 'stop' | 'tool_calls' | 'length' | 'refusal' | 'cancelled' | 'error';
/** `part` is the index of the part in the reply being built; artifacts name the part they belong to. */
export type ModelPart =
  | { readonly type: 'text' | 'reasoning'; readonly part: number; readonly text: string }
  | {
      readonly type: 'tool_call';
      readonly part: number;
      readonly callId: string;
      readonly name: string;
      readonly args: unknown;
      readonly argsError: string | null;
    }
  | { readonly type: 'artifact'; readonly part: number; readonly kind: string; readonly data: string }
  | ModelEndPart;
/** Always the last part, exactly once. `natural`: the gate of stack 6g held (text not blank, no call). Tool calls run only when `end` is `tool_calls`. */
export interface ModelEndPart {
  readonly type: 'end';
  readonly end: ModelEnd;
  readonly rawEnd: string | null;
  readonly natural: boolean;
  readonly usage: ModelUsage;
  readonly requestBytes: number;
  readonly ceiling: number | null;
  readonly trouble: ProviderTrouble | null;
}
export interface ModelFacts {
  readonly kind: ProviderKind;
  readonly window: number | null;
  readonly windowFrom: 'set' | 'reported' | 'table' | null;
  readonly maxOutput: number | null;
  readonly vision: boolean;
}
/** Never throws and never retries: every trouble is the end part. Breaking out of the loop or aborting stops the provider. */
export interface ModelPort {
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelPart>;
  /** Null: no such provider. */
  describe(model: ModelRef): ModelFacts | null;
  /** The output ceiling, in tokens, that a request of this size will really carry; null where none is sent. */
  ceiling(
    model: ModelRef,
    size: { readonly measureBytes: number; readonly bytesPerToken: number; readonly configured: number | null },
  ): number | null;
}
