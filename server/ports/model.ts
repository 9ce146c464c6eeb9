import type { Model, Usage } from '@/server/contract/shapes';
import type { ToolSchema, ViewMessage } from '@/server/core/projection/view-message';
import type { ReplyEnd, ReplyPart, Trouble, TroubleKind } from '@/server/core/turn/model-call';

export type ModelRef = Model;
export type ModelUsage = Usage;
export type ModelPart = ReplyPart;
export type ModelEndPart = ReplyEnd;
export type ModelEnd = ReplyEnd['end'];
export type ProviderTrouble = Trouble;
export type { TroubleKind };
export type ProviderKind = 'openai-compatible' | 'openai' | 'anthropic' | 'google' | 'embedded';

/** One step of one model. Tokens where named; `measureBytes` is the measure of the whole request (`contract.md` 7). */
export interface ModelRequest {
  readonly model: ModelRef;
  readonly system: string;
  readonly tools: readonly ToolSchema[];
  readonly entries: readonly ViewMessage[];
  readonly measureBytes: number;
  readonly bytesPerToken: number;
  /** Configured output ceiling, or null: none is sent but where the protocol demands one (contract 10). */
  readonly ceilingTokens: number | null;
  /** Index of the first entry of the running turn (signatures), or null. */
  readonly turnFrom: number | null;
  /** Index of the last entry before the plan block (cache mark), or null. */
  readonly cacheAfter: number | null;
  /** No tool may be called any more; absent: any of `tools`. */
  readonly toolChoice?: 'none';
  readonly reasoning: 'default' | 'off' | 'low' | 'medium' | 'high';
  /** Base64 of an image, or null when the log no longer has it. */
  readonly imageData: (sha256: string) => string | null;
}

export interface ModelFacts {
  readonly kind: ProviderKind;
  readonly window: number | null;
  readonly windowFrom: 'set' | 'reported' | 'table' | null;
  readonly maxOutput: number | null;
  readonly vision: boolean;
}

/** Never throws and never retries: every trouble is the end part, which comes once and last. Breaking out of the loop or aborting stops the provider. */
export interface ModelPort {
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelPart>;
  /** Null: no such provider. */
  describe(model: ModelRef): ModelFacts | null;
  /** The output ceiling, in tokens, that a request of this size will really carry; null where none is sent. */
  ceiling(model: ModelRef, size: RequestSize): number | null;
}

export interface RequestSize {
  readonly measureBytes: number;
  readonly bytesPerToken: number;
  readonly configured: number | null;
}
