import { toEntry } from './model-view-entries';
import type { ModelView, ViewEntry } from './model-view-shape';
import { toPlanBlock } from './plan-block';
import type { Plan } from './state-shape';
import type { ViewMessage } from './view-message';

export interface PlanPlacement {
  readonly body: readonly ViewEntry[];
  readonly plan: Plan | null;
  readonly moment: 'entry' | 'step';
}

/**
 * Adds the plan block where `contract.md` 9 wants it: last at turn entry; between steps only where the model cannot
 * see its newest plan as its own call. After a tool result it stands inside it, because a user message between
 * results and the reply is refused by some servers and makes others drop reasoning.
 */
export function placePlan({ body, plan, moment }: PlanPlacement): Pick<ModelView, 'entries' | 'body' | 'plan'> {
  const text = toPlanBlock(plan);
  if (text === null || (moment === 'step' && isVisible(body, plan))) return { entries: body, body, plan: null };
  const last = body.at(-1);
  if (last?.message.role !== 'tool') {
    const message: ViewMessage = { role: 'user', parts: [{ type: 'text', text }] };
    const entry = toEntry(message, { kind: 'plan', itemIds: [], note: null, turnId: null });
    return { entries: [...body, entry], body, plan: { text, place: 'entry' } };
  }
  const results = last.message.results.map((result, index, all) =>
    index === all.length - 1 ? { ...result, text: `${result.text}\n${text}` } : result,
  );
  const account = toEntry(
    { role: 'user', parts: [{ type: 'text', text }] },
    { kind: 'plan', itemIds: [], note: 'inside the newest result', turnId: null },
  );
  const entry: ViewEntry = {
    ...last,
    message: { role: 'tool', results },
    accounts: [...last.accounts, ...account.accounts],
  };
  return { entries: [...body.slice(0, -1), entry], body, plan: { text, place: 'inside' } };
}

/** The call that set it stands in the view with its arguments whole. */
function isVisible(body: readonly ViewEntry[], plan: Plan | null): boolean {
  const callId = plan?.callId ?? null;
  if (callId === null) return false;
  return body.some(
    ({ message, accounts }) =>
      message.role === 'assistant' &&
      accounts[0]?.note?.includes('shortened') !== true &&
      message.parts.some((part) => part.type === 'tool_call' && part.callId === callId),
  );
}
