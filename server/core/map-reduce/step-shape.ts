import type { CompactionStage } from '@/server/contract/session';
import type { Model, Usage } from '@/server/contract/shapes';
import type { SummariserFacts } from '@/server/core/compaction/fit';
import type { CompactionGo } from '@/server/core/compaction/plan';
import type { SummaryRequest } from '@/server/core/compaction/render';
import type { CompactionCommand, CompactionJob, LastFailure } from '@/server/core/compaction/step-job';
import type { RetryPosition, Trouble } from '@/server/core/turn/model-call';
import type { WantedReduction } from './levels';
import type { Piece } from './pieces';
import type { RereadRange } from './reread';
import type { Segment } from './segments';
import type { Staging } from './staging';

/** Every state of the machine: the tests go through this list, so that a new one without a test fails. */
export const MAP_REDUCE_PHASES = [
  'mapping',
  'draining',
  'waiting',
  'reducing',
  'rereading',
  'auditing',
  'correcting',
  'over',
] as const;
export type MapReducePhase = (typeof MAP_REDUCE_PHASES)[number];

/** A request under way, with what its answer will be judged by. */
export interface InFlight {
  readonly call: number;
  readonly stage: Exclude<CompactionStage, 'one_shot'>;
  /** What is tried: contents tries of one key are counted together. */
  readonly key: string;
  readonly segment: Segment | null;
  /** What a reduction is of; null for other stages. Looked up anew it might be another: windows and ratios are learnt. */
  readonly reduction: WantedReduction | null;
  readonly request: SummaryRequest;
  /** Output tokens that were sent as a ceiling; null: none was. */
  readonly ceilingTokens: number | null;
}

/** Content tries of one request. */
export interface Tries {
  readonly made: number;
  readonly rejection: string | null;
  /** It ran into the ceiling of R11: from then on none is sent, and the reserve stays in the sums. */
  readonly withoutCeiling: boolean;
}

/** What stopped the scheduling of maps, kept until those under way are done (R6, R7). */
export type MapTrouble =
  | { readonly kind: 'overflow'; readonly segments: readonly Segment[] }
  | { readonly kind: 'transport'; readonly trouble: Trouble; readonly failure: LastFailure }
  | { readonly kind: 'content'; readonly failure: LastFailure };

/** A summary of everything that is being audited. */
export interface Candidate {
  readonly text: string;
  /** Corrections that led to it. */
  readonly round: number;
  /** Notes it has been held against, in order, and how many more the batch under way holds. */
  readonly audited: number;
  readonly batch: number;
  readonly findings: readonly string[];
}

/** Items that a reduction asked for again, and which reduction that was. */
export interface RereadInHand {
  readonly key: string;
  readonly ranges: readonly RereadRange[];
  readonly blocks: readonly string[];
}

export interface MapReduceMachine {
  readonly job: CompactionJob;
  readonly go: CompactionGo;
  /** Place in the chain, from 0, and the model that stands there. */
  readonly index: number;
  readonly model: Model;
  /** Why the model before was left; null for the first. */
  readonly after: string | null;
  /**
   * Of that model as it was known when the segments were planned. What answers teach meanwhile moves no border between
   * groups that are being reduced; an overflow does, and has it read anew.
   */
  readonly facts: SummariserFacts;
  readonly phase: MapReducePhase;
  readonly pieces: readonly Piece[];
  readonly segments: readonly Segment[];
  readonly staging: Staging;
  readonly inFlight: readonly InFlight[];
  /** Requests of the compaction so far. */
  readonly attempts: number;
  /** Transport tries of the request in turn. */
  readonly position: RetryPosition;
  readonly troubles: readonly MapTrouble[];
  readonly tries: ReadonlyMap<string, Tries>;
  /** Segments whose newest try was not accepted, by fingerprint. */
  readonly failed: ReadonlySet<string>;
  /** Reductions, audits and corrections stay under this after an overflow; null: the window alone counts. */
  readonly limitBytes: number | null;
  readonly squeezes: number;
  readonly reread: RereadInHand | null;
  readonly candidate: Candidate | null;
  /** Of accepted requests; null: nobody reported any. */
  readonly usage: Usage | null;
}

/** What the segments came to. `candidate`: its audit passed, and the checks of `contract.md` 11 decide. */
export type MapReduceExit =
  | { readonly kind: 'candidate'; readonly text: string }
  /** `advance`: the next model of the chain may do better; else the run is over (R8, R9). */
  | { readonly kind: 'failed'; readonly failure: LastFailure; readonly advance: boolean };

export interface MapReduceStep {
  readonly state: MapReduceMachine;
  readonly commands: readonly CompactionCommand[];
  readonly exit: MapReduceExit | null;
}
