import { jsonStringBytes } from '@/server/core/budget/json-bytes';
import { BYTES_A_PART } from '@/server/core/budget/measure';
import { defuse, SUMMARY_TAGS } from './defuse';
import type { Plan } from './state-shape';
import { toOneLine } from './view-texts';

const MARKS = { done: '[x]', active: '[>]', pending: '[ ]' } as const;

/** The protected block (L5); null when no item is pending or active, though the plan itself persists. */
export function toPlanBlock(plan: Plan | null): string | null {
  if (plan === null || !plan.items.some((item) => item.status !== 'done')) return null;
  const done = plan.items.filter((item) => item.status === 'done').length;
  const lines = plan.items.map((item) => `${MARKS[item.status]} ${defuse(toOneLine(item.text), SUMMARY_TAGS)}`);
  const label = 'Your plan as the application keeps it; change it with update_plan. Nobody said this.';
  return [`<plan done="${done}" of="${plan.items.length}">`, label, ...lines, '</plan>'].join('\n');
}

/** What the block takes of the floor, shown at this moment or not: a floor that moved with each step would move the trigger. */
export function measurePlanBlock(plan: Plan | null): number {
  const block = toPlanBlock(plan);
  return block === null ? 0 : jsonStringBytes(block) + BYTES_A_PART;
}
