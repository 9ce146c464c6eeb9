import type { FieldsOf } from '@/server/contract/events/event';
import type { CompactionStage, SegmentTally } from '@/server/contract/session';
import type { Model, TroubleDetail } from '@/server/contract/shapes';
import type { NumberSettings, Numbers } from '@/server/core/budget/numbers';
import type { NewEvent } from '@/server/core/log/new-event';
import type { ModelView } from '@/server/core/projection/model-view-shape';
import type { SessionState } from '@/server/core/projection/state-shape';
import type { ComposedPrompt } from '@/server/core/prompt/compose';
import type { PartialReply } from '@/server/core/turn/collect-reply';
import type { StepRetry } from '@/server/core/turn/model-call';
import type { SummariserFacts } from './fit';
import type { CompactionTrigger } from './plan';
import type { SummaryRequest } from './render';
import type { DiskHashes } from './stale';

/** What a compaction is asked to do; fixed when it starts. Ids are handed in, so that the machine invents nothing. */
export interface CompactionJob {
  readonly compactionId: string;
  readonly checkpointId: string;
  /** Id of the `prompt.kept` that is appended where the prompt moved on. */
  readonly promptEventId: string;
  readonly trigger: CompactionTrigger;
  readonly turnId: string | null;
  readonly by: string | null;
  readonly focus: string | null;
  readonly upToItemId: string | null;
  readonly keepTail: boolean;
  /** Who summarises, in order (S2); nobody else is asked. */
  readonly chain: readonly Model[];
  /** The receiving model: its own one-shot shares the conversation's cached prefix. */
  readonly agentModel: Model | null;
  /** Composed now; equal to the kept one where nothing moved on or the agent is gone. */
  readonly prompt: ComposedPrompt;
  readonly settings: NumberSettings;
  readonly minSourceBytes: number;
  readonly contentTries: number;
  /** `compaction.instructions`. */
  readonly instructions: string;
  readonly disk: DiskHashes;
  /** Fingerprint of an accepted segment whose notes are to be written anew (X6); null: none. */
  readonly rewrite: string | null;
  readonly factsOf: (model: Model) => SummariserFacts;
  readonly retry: StepRetry;
}

/** The session as it is at this step. `numbers` and `view` are made with the prompt of the job. */
export interface CompactionScene {
  readonly state: SessionState;
  /** The receiving model's view, trims in force applied. */
  readonly view: ModelView;
  readonly numbers: Numbers;
  /** The conversation with no trim in force, in bytes: what the trigger was held against. */
  readonly viewBytes: number;
}

export type EndedOutcome = FieldsOf<'compaction.ended'>['outcome'];

export type CompactionCommand =
  | { readonly do: 'append'; readonly events: readonly NewEvent[] }
  /** `chat.compacting`. `attempt.n` is the place in the chain, from 1; `after` why the model before was left. */
  | {
      readonly do: 'say';
      readonly stage: CompactionStage;
      readonly model: Model;
      readonly attempt: { readonly n: number; readonly of: number; readonly after: string | null };
      /** Where the summary is made in segments (X6). `reading`: their numbers. */
      readonly segments?: SegmentTally;
      readonly reading?: readonly number[];
    }
  /** `call` comes back with the outcome: several may be under way. `ceilingTokens` null: none is sent (R11). */
  | {
      readonly do: 'call';
      readonly call: number;
      readonly model: Model;
      readonly request: SummaryRequest;
      readonly ceilingTokens: number | null;
    }
  | { readonly do: 'wait'; readonly ms: number }
  /** Text streamed so far is worth nothing: drop it from candidate and screen (C9). */
  | { readonly do: 'reset' }
  /** Said to the person at once, not stored: `chat.notice`. */
  | { readonly do: 'notice'; readonly code: string; readonly text: string }
  | CompactionDone;

/** `chat.compacted`. `nothing`: no line was written and nothing is announced; the reason says why. */
export interface CompactionDone {
  readonly do: 'done';
  readonly outcome: EndedOutcome | 'nothing';
  readonly reason: string | null;
  readonly checkpointId: string | null;
  readonly before: number | null;
  readonly after: number | null;
  readonly dropped: FieldsOf<'checkpoint.committed'>['carry']['dropped'];
  readonly detail: TroubleDetail | null;
}

export type CompactionOutcome =
  /** `call` as in the command; absent: the only one under way. */
  | { readonly type: 'replied'; readonly call?: number; readonly reply: PartialReply; readonly ms: number }
  | { readonly type: 'waited' }
  /** A person, or the turn it belongs to, stopped it; `call` says that a request was under way. */
  | { readonly type: 'cancelled'; readonly call?: number; readonly reply: PartialReply | null; readonly ms: number };

export interface LastFailure {
  readonly outcome: 'failed' | 'rejected';
  readonly reason: string;
  readonly detail: TroubleDetail | null;
}
