import type { CompactionStage } from '@/server/contract/session';
import type { Model, TroubleDetail, Usage } from '@/server/contract/shapes';
import { costOf } from '@/server/core/budget/cost';
import type { NewEvent } from '@/server/core/log/new-event';
import { type PartialReply, textOf } from '@/server/core/turn/collect-reply';
import type { ReplyEnd, Trouble } from '@/server/core/turn/model-call';
import type { SummaryReply } from './accept';
import type { CompactionJob } from './step-job';

export interface AttemptInput {
  readonly job: Pick<CompactionJob, 'compactionId' | 'factsOf'>;
  readonly model: Model | undefined;
  /** Place among the requests of this compaction, from 1. */
  readonly n: number;
  readonly stage: CompactionStage;
  readonly segment: number | null;
  /** Measure of the request, where the adapter did not say what it sent. */
  readonly measureBytes: number;
  readonly end: ReplyEnd | null;
  readonly ms: number;
  readonly outcome: 'accepted' | 'rejected' | 'failed' | 'cancelled';
  readonly reason: string | null;
  readonly detail: TroubleDetail | null;
}

/** One request in the ledger, refused ones with their usage too (X3, C8). */
export function toAttempt(input: AttemptInput): NewEvent {
  const { job, model, n, stage, segment, measureBytes, end, ms, outcome, reason, detail } = input;
  const usage = end === null || isSilent(end.usage) ? null : end.usage;
  return {
    type: 'compaction.attempt',
    compactionId: job.compactionId,
    n: Math.max(1, n),
    stage,
    segment,
    model: model ?? { provider: 'none', model: 'none' },
    requestBytes: end?.requestBytes ?? measureBytes,
    ceiling: end?.ceiling ?? null,
    end: end?.end ?? null,
    rawEnd: end?.rawEnd ?? null,
    usage,
    cost: costOf(usage, model === undefined ? null : job.factsOf(model).prices),
    ms: Math.max(0, Math.round(ms)),
    outcome,
    reason: reason?.slice(0, 500) ?? null,
    detail,
  };
}

/** A provider that reported nothing is stored as nothing, never as zeroes (case-D06). */
export function isSilent(usage: Usage): boolean {
  return Object.values(usage).every((count) => count === null);
}

/** A reply as the acceptance checks look at it. */
export function toSummaryReply(reply: PartialReply, { natural, end, rawEnd, trouble }: ReplyEnd): SummaryReply {
  const calledTool = reply.calls.length > 0;
  return { text: textOf(reply), natural, end, rawEnd, trouble: nameTrouble(trouble), calledTool };
}

/** How an unnatural end is named; a reply that stopped without a word is left to the check for empty texts. */
export function nameTrouble(trouble: Trouble | null): string | null {
  if (trouble?.kind !== 'incomplete') return trouble?.kind ?? null;
  return trouble.code === 'empty' ? null : (trouble.code ?? trouble.kind);
}

/** Broken connections, limits and refusals of the request itself; what a model wrote or declined is content. */
export function isTransport(trouble: Trouble | null): trouble is Trouble {
  return trouble !== null && trouble.kind !== 'incomplete' && trouble.kind !== 'refusal';
}

/** The provider says that the request is larger than it takes. */
export function isOverflow({ kind }: Trouble): boolean {
  return kind === 'context' || kind === 'too_large';
}

/** A stream that broke off before its end is a network matter, and named as the missing end it is (C8). */
export function nameTransport({ code, kind }: Trouble): string {
  return code === 'cut_off' ? 'incomplete:cut_off' : kind;
}
