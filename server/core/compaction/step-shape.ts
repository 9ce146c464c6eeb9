import type { Staging } from '@/server/core/map-reduce/staging';
import type { MapReduceMachine } from '@/server/core/map-reduce/step-shape';
import type { RetryPosition } from '@/server/core/turn/model-call';
import type { CompactionGo } from './plan';
import type { SummaryRequest } from './render';
import type { CompactionCommand, CompactionJob, LastFailure } from './step-job';

export const COMPACTION_PHASES = ['calling', 'waiting', 'segments', 'done'] as const;
export type CompactionPhase = (typeof COMPACTION_PHASES)[number];

export interface CompactionMachine {
  readonly job: CompactionJob;
  /** `segments`: no request takes the whole source, and `segments` says where that stands. */
  readonly phase: CompactionPhase;
  readonly segments: MapReduceMachine | null;
  /** What stands accepted on the branch, kept up with what this compaction appends. */
  readonly staging: Staging;
  readonly go: CompactionGo | null;
  /** Place in the chain, from 0. */
  readonly index: number;
  /** Requests so far, every one of them an attempt of the ledger. */
  readonly attempts: number;
  readonly contentTry: number;
  /** Transport tries of this content try. */
  readonly position: RetryPosition;
  readonly rejection: string | null;
  /** A tool was called: from then on requests carry no tools. */
  readonly isSerialised: boolean;
  readonly replans: number;
  /** The request under way, for its attempt. */
  readonly request: SummaryRequest | null;
  readonly last: LastFailure | null;
}

export interface CompactionStep {
  readonly state: CompactionMachine;
  readonly commands: readonly CompactionCommand[];
}
