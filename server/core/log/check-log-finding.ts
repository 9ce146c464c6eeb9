import type { StoredEvent } from '@/server/contract/events/event';
import type { BranchState, LogState, Violation } from '@/server/core/projection/state-shape';

/** The rules of `contract.md` section 5 by number; the names are what `doctor` prints. */
export const RULE_NAMES = {
  1: 'seq_order',
  2: 'opening_lines',
  3: 'dangling_reference',
  4: 'open_twice',
  5: 'placed_twice',
  6: 'result_without_call',
  7: 'open_call_at_turn_end',
  8: 'mask_outside_newest_batch',
  9: 'covers',
  10: 'keep',
  11: 'plan_binding',
  12: 'staging_without_compaction',
  13: 'checkpoint_without_attempt',
  14: 'decision_without_question',
} as const;

export type RuleNumber = keyof typeof RULE_NAMES;

export interface Finding {
  readonly rule: RuleNumber;
  readonly ignored: boolean;
  readonly text: string;
}

/** An event that is about to join the log, and where it links to. The log does not hold it yet. */
export interface Candidate {
  readonly log: LogState;
  readonly branch: BranchState;
  readonly event: StoredEvent;
  readonly link: number | null;
}

/** A finding as it is kept and printed: with the rule's name and the line it is about. */
export function toViolation(event: { readonly seq: number; readonly id: string | null }, finding: Finding): Violation {
  const { rule, ignored, text } = finding;
  return { rule, name: RULE_NAMES[rule], seq: event.seq, eventId: event.id, ignored, text };
}
