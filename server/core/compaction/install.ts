import type { Model, Usage } from '@/server/contract/shapes';
import { measureText } from '@/server/core/budget/measure';
import { type TakenCarryOvers, takeCarryOvers } from '@/server/core/carry-over/take';
import type { NewEvent } from '@/server/core/log/new-event';
import type { SessionState } from '@/server/core/projection/state-shape';
import { type SummaryContent, toSummaryText } from '@/server/core/projection/view-texts-summary';
import type { AcceptanceBounds, AcceptanceCheck } from './accept';
import { type CompactionGo, findOpenApprovals } from './plan';
import { fingerprintSource } from './source';

/** What a summary's text is put into: its frame, and what it takes along. */
export interface Installation {
  readonly carry: TakenCarryOvers;
  /** Measure of body and frame alone. */
  readonly frame: (body: string) => number;
  /** Measure of the whole as the view will show it: with carry-overs and the stale line. */
  readonly install: (body: string) => number;
}

/** Carry-overs are taken as they are marked now, within the bound of the plan (K1, `contract.md` 11). */
export function planInstallation(state: SessionState, go: CompactionGo): Installation {
  const carry = takeCarryOvers(state.carryOvers, go.numbers.carryBoundBytes);
  const stale = go.stale.files.map((file) => file.path);
  const carried = carry.kept.map(({ text }) => text);
  const measure = (content: Pick<SummaryContent, 'body' | 'carried' | 'stale'>) => {
    const place = { checkpointId: '', throughNumber: go.throughNumber, throughId: go.covers.through };
    return measureText(toSummaryText({ ...place, ...content }, null).text);
  };
  return {
    carry,
    frame: (body) => measure({ body, carried: [], stale: [] }),
    install: (body) => measure({ body, carried, stale }),
  };
}

/** What a reply is held against; the fingerprint is taken again from the state as it is now. */
export function toBounds(state: SessionState, go: CompactionGo, installation: Installation): AcceptanceBounds {
  const first = go.source.items[0]?.number ?? 1;
  const present = new Set(state.items.slice(first - 1).map((item) => item.id));
  const isThere = go.source.items.every((item) => present.has(item.id));
  return {
    sourceBytes: go.source.bytes,
    capBytes: go.summaryCapBytes,
    commitBytes: go.numbers.commitBytes,
    keepBytes: go.keepBytes,
    tailBytes: go.tailBytes,
    frame: installation.frame,
    install: installation.install,
    fingerprint: go.source.fingerprint,
    fingerprintNow: isThere ? fingerprintSource(state, go.source.items, go.stale) : 'the source is not on the path',
  };
}

export interface CommitInput {
  readonly state: SessionState;
  readonly go: CompactionGo;
  readonly installation: Installation;
  readonly body: string;
  readonly checks: readonly AcceptanceCheck[];
  readonly checkpointId: string;
  readonly compactionId: string;
  readonly promptId: string | null;
  readonly promptRecomposed: boolean;
  readonly model: Model;
  readonly usage: Usage | null;
  readonly edited: boolean;
  readonly method: 'one_shot' | 'map_reduce';
}

/** The checkpoint as it is appended. `undoTo` is the head before it: a rollback restores exactly that. */
export function toCheckpoint(input: CommitInput): NewEvent<'checkpoint.committed'> {
  const { state, go, installation } = input;
  return {
    type: 'checkpoint.committed',
    id: input.checkpointId,
    compactionId: input.compactionId,
    text: input.body,
    edited: input.edited,
    covers: go.covers,
    keep: go.keep.items.map((item) => item.id),
    firstCap: go.keep.firstCap,
    previous: go.source.previous?.id ?? null,
    carry: installation.carry,
    stale: [...go.stale.files],
    open: { approvals: [...findOpenApprovals(state)], subagents: [] },
    method: input.method,
    model: input.model,
    usage: input.usage,
    promptId: input.promptId,
    promptRecomposed: input.promptRecomposed,
    sourceBytes: go.source.bytes,
    bytes: installation.install(input.body),
    checks: [...input.checks],
    undoTo: state.head,
  };
}
