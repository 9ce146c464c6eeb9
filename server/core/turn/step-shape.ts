import type { FieldsOf } from '@/server/contract/events/event';
import type { Model, Part } from '@/server/contract/shapes';
import type { Numbers } from '@/server/core/budget/numbers';
import type { NewEvent } from '@/server/core/log/new-event';
import type { ViewRequest } from '@/server/core/projection/model-view-request';
import type { ModelView } from '@/server/core/projection/model-view-shape';
import type { SessionState } from '@/server/core/projection/state-shape';
import type { ComposedPrompt } from '@/server/core/prompt/compose';
import type { PartialReply } from './collect-reply';
import type { ReplyCall, RetryPosition, StepRetry } from './model-call';

/** How a tool of this agent is to be treated; a name that is not in the job is unknown or withdrawn. */
export interface ToolPolicy {
  readonly approval: 'allow' | 'ask' | 'deny';
  /** It changes something outside the log: `tool.started` is written before it runs. */
  readonly effects: boolean;
}

/** A turn as it is asked for; fixed when its job begins. */
export interface TurnJob {
  readonly turnId: string;
  readonly messageId: string | null;
  readonly why: FieldsOf<'turn.started'>['why'];
  /** The model and its fallbacks, or the auto chain; never empty. */
  readonly chain: readonly Model[];
  /** Kept as `prompt.kept` where the conversation has no prompt yet. */
  readonly prompt: ComposedPrompt;
  readonly promptEventId: string;
  readonly tools: ReadonlyMap<string, ToolPolicy>;
  readonly maxSteps: number;
  /** `compaction.auto`. */
  readonly autoCompaction: boolean;
  /** C10; false only where a test shows what happens without. */
  readonly defersAfterFailure: boolean;
  readonly retry: StepRetry;
}

/**
 * The session as it is at this step. `view` and `numbers` are made for the machine's `model` and `moment`; `nextId`
 * hands in ids: a reply has one before it streams, so that what streams and what is appended have one name.
 */
export interface TurnScene {
  readonly state: SessionState;
  readonly view: ModelView;
  readonly numbers: Numbers;
  /** The conversation with no trim in force, in bytes (C1). */
  readonly untrimmedBytes: number;
  readonly nextId: () => string;
}

export interface RunCall {
  readonly callId: string;
  readonly name: string;
  readonly args: unknown;
}

/** What became of a call, as the tool says it. `events` are appended just before the result. */
export interface ToolReturn {
  readonly parts: readonly Part[];
  readonly isError: boolean;
  readonly why: FieldsOf<'tool.result'>['why'];
  readonly observed: FieldsOf<'tool.result'>['observed'];
  readonly events: readonly NewEvent[];
}

export type TurnCommand =
  | { readonly do: 'append'; readonly events: readonly NewEvent[] }
  /** Nothing to wait for: come back with a fresh scene. */
  | { readonly do: 'look' }
  /** Streams one reply; its deltas carry `messageId`. */
  | { readonly do: 'call'; readonly model: Model; readonly request: ViewRequest; readonly messageId: string }
  | { readonly do: 'reset'; readonly messageId: string }
  | { readonly do: 'wait'; readonly ms: number }
  | { readonly do: 'compact'; readonly trigger: 'auto' | 'overflow' }
  /** Runs side by side; each answers with an outcome of its own. */
  | { readonly do: 'run'; readonly calls: readonly RunCall[] }
  /** `chat.notice`: said, not stored. */
  | {
      readonly do: 'notice';
      readonly code: string;
      readonly text: string;
      readonly data: Readonly<Record<string, unknown>>;
    }
  /** The job ends. `parked`: the turn waits for a person and goes on in another job. */
  | { readonly do: 'done'; readonly outcome: FieldsOf<'turn.ended'>['outcome'] | 'parked' };

export type TurnOutcome =
  | { readonly type: 'looked' }
  | { readonly type: 'replied'; readonly reply: PartialReply; readonly ms: number }
  | { readonly type: 'waited' }
  | { readonly type: 'compacted'; readonly outcome: string; readonly reason: string | null }
  | { readonly type: 'ran'; readonly callId: string; readonly result: ToolReturn; readonly ms: number }
  /** A person stopped the turn, or the server stops: what streamed so far comes along. */
  | {
      readonly type: 'stopped';
      readonly why: 'cancelled' | 'interrupted';
      readonly reply: PartialReply | null;
      readonly ms: number;
    };

export interface FinishedCall {
  readonly result: ToolReturn;
  readonly ms: number;
}

export interface TurnMachine {
  readonly job: TurnJob;
  readonly phase: 'deciding' | 'calling' | 'waiting' | 'compacting' | 'running' | 'done';
  /** Model calls that brought a reply, in this turn. */
  readonly steps: number;
  readonly moment: 'entry' | 'step';
  readonly position: RetryPosition;
  /** The model in use. */
  readonly model: Model;
  /** Id of the reply that streams or is about to. */
  readonly messageId: string | null;
  /** Steps are used up: the call under way is the last, without tools. */
  readonly isLast: boolean;
  /** This call was decided for compaction once; it is not decided again before it is sent. */
  readonly triedToCompact: boolean;
  /** A person stopped an automatic compaction: no other one in this turn. */
  readonly autoStopped: boolean;
  /** Model calls since an automatic commit; null: none in this job. */
  readonly callsSinceCommit: number | null;
  readonly refills: number;
  /** How far recovery from a real overflow has gone. */
  readonly overflow: 'none' | 'compacted' | 'trimmed';
  /** What the compaction under way is for. */
  readonly compacting: 'auto' | 'overflow' | null;
  /** The batch in hand. */
  readonly calls: readonly ReplyCall[];
  /** Calls that run now. */
  readonly running: readonly string[];
  readonly finished: ReadonlyMap<string, FinishedCall>;
  /** Calls whose results are appended. */
  readonly answered: readonly string[];
  readonly noticed: readonly string[];
}

export interface TurnStep {
  readonly state: TurnMachine;
  readonly commands: readonly TurnCommand[];
}
