import { z } from 'zod';
import type { PlanItem } from '@/server/contract/shapes';
import { answer, defineTool, type Tool } from './tool';

/**
 * Replaces the plan (L5). An item keeps its id while its text stays the same, so that a person's editing and the
 * model's meet. `after`, the newest item at that line, is filled in by whoever appends the event.
 */
export const updatePlan: Tool = defineTool({
  name: 'update_plan',
  description: 'Replaces your plan: all items in order. Keep it true as you work; an empty list clears it.',
  args: z.strictObject({
    items: z
      .array(
        z.strictObject({ text: z.string().trim().min(1).max(2000), status: z.enum(['pending', 'active', 'done']) }),
      )
      .max(100),
  }),
  run({ items }, { state, callId }) {
    const plan = withIds(items, state.plan?.items ?? []);
    const done = plan.filter((item) => item.status === 'done').length;
    const text = plan.length === 0 ? 'The plan is empty.' : `The plan has ${plan.length} items, ${done} done.`;
    return answer(text, { events: [{ type: 'plan.set', items: plan, by: 'model', callId }] });
  },
});

function withIds(items: readonly Omit<PlanItem, 'id'>[], before: readonly PlanItem[]): PlanItem[] {
  const free = [...before];
  const used = new Set<string>();
  const kept = items.map((item) => {
    const place = free.findIndex((old) => old.text === item.text);
    const [old] = place < 0 ? [] : free.splice(place, 1);
    if (old !== undefined) used.add(old.id);
    return { item, id: old?.id ?? null };
  });
  const taken = new Set(before.map((old) => old.id));
  let next = 1;
  return kept.map(({ item, id }) => {
    if (id !== null) return { id, ...item };
    while (taken.has(String(next)) || used.has(String(next))) next += 1;
    used.add(String(next));
    return { id: String(next), ...item };
  });
}
