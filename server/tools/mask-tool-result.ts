import { z } from 'zod';
import { countBytes } from '@/server/contract/text';
import { toItemText } from '@/server/core/projection/model-view-text';
import { newestBatch } from '@/server/core/projection/responded';
import type { Item, SessionState } from '@/server/core/projection/state-shape';
import { answer, defineTool, fail, type Tool } from './tool';

/**
 * Puts a typed reference in place of one result of the newest batch before the calling message (M1): there the cut
 * costs no cached prefix. Anything else is refused with the reason (M2); the raw result stays in the log.
 */
export const maskToolResult: Tool = defineTool({
  name: 'mask_tool_result',
  description:
    'Replaces a result of the newest tool batch by a short reference with your note, to save room. Only once you have what you need from it; recall reads it back.',
  args: z.strictObject({
    item: z.union([z.number().int(), z.string().max(256)]).describe('Number of the result, as in item="57".'),
    note: z.string().trim().min(1).max(300).describe('One line: what it was and what matters of it.'),
  }),
  run({ item, note }, { state, callId }) {
    const target = findTarget(state, item);
    if (target === null) return fail(whyNoTarget(item));
    const refusal = whyNotMaskable(state, target, callId);
    if (refusal !== null || target.event.type !== 'tool.result') return fail(refusal ?? '');
    const bytes = countBytes(toItemText(target.event, target.number));
    const event = { type: 'view.masked', item: target.id, callId: target.event.callId, bytes, byCall: callId } as const;
    const line = note.replace(/\s+/g, ' ');
    return answer(`Item ${target.number} is masked.`, { events: [{ ...event, note: line }] });
  },
});

/** By number, by item id, or by the call's own id. */
function findTarget(state: SessionState, item: number | string): Item | null {
  const name = String(item)
    .trim()
    .replace(/^item\s+/i, '');
  const byNumber = /^\d+$/.test(name) ? state.items.find((one) => one.number === Number(name)) : undefined;
  const byName = state.items.findLast(
    (one) => one.id === name || (one.event.type === 'tool.result' && one.event.callId === name),
  );
  return byNumber ?? byName ?? null;
}

function whyNoTarget(item: number | string): string {
  if (/plan/i.test(String(item))) return 'The plan cannot be masked; change it with update_plan.';
  return `There is no item ${item}. Name a tool result by the number in its item attribute.`;
}

function whyNotMaskable(state: SessionState, target: Item, callId: string): string | null {
  if (target.event.type === 'message.user') return 'Messages of the person cannot be masked, only tool results.';
  if (target.event.type === 'message.assistant') return 'Your own replies cannot be masked, only tool results.';
  if (state.masks.has(target.id)) return `Item ${target.number} is masked already.`;
  const batch = newestBatch(state, callId);
  if (batch.some((one) => one.id === target.id)) return null;
  const [first, last] = [batch[0], batch.at(-1)];
  if (first === undefined || last === undefined) return 'There is no tool result yet that could be masked.';
  const where = first === last ? `item ${first.number}` : `items ${first.number}-${last.number}`;
  return `Only results of the newest batch can be masked (${where}): changing item ${target.number}, further back, would cost the prompt cache everything after it.`;
}
