import { toJson } from '@/server/core/budget/json-bytes';
import type { NewEvent } from '@/server/core/log/new-event';
import { isKnown } from '@/server/core/projection/log-state-path';
import type { SessionState } from '@/server/core/projection/state-shape';
import type { ReplyCall } from './model-call';
import type { ToolPolicy } from './step-shape';

const PREVIEW_CHARACTERS = 4_000;

export interface ApprovalQuestion {
  readonly call: ReplyCall;
  readonly policy: ToolPolicy;
  readonly argsHash: string;
}

/**
 * Whether a call may run (T2): by the agent's setting, by what a person decided about exactly this call and these
 * arguments, or by an earlier yes to this tool for the whole conversation.
 */
export function decideApproval(
  state: SessionState,
  { call, policy, argsHash }: ApprovalQuestion,
): 'run' | 'ask' | 'deny' {
  if (policy.approval === 'deny') return 'deny';
  if (policy.approval === 'allow') return 'run';
  const asked = state.path.flatMap((event) => (isKnown(event) && event.type === 'approval.asked' ? [event] : []));
  const decided = state.path.flatMap((event) => (isKnown(event) && event.type === 'approval.decided' ? [event] : []));
  // Providers use call ids again: only a decision after the reply that calls is one about this call.
  const since = state.items.findLast((item) => item.event.type === 'message.assistant')?.point ?? 0;
  const own = decided.findLast(
    (event) => event.seq > since && event.callId === call.callId && event.argsHash === argsHash,
  );
  if (own !== undefined) return own.decision === 'approve' ? 'run' : 'deny';
  const names = new Map(asked.map((event) => [event.callId, event.name]));
  const standing = decided.findLast((event) => event.scope === 'conversation' && names.get(event.callId) === call.name);
  return standing?.decision === 'approve' ? 'run' : 'ask';
}

/** A person has answered the newest question about this call; ids that a provider used before do not count. */
export function isDecided(state: SessionState, callId: string): boolean {
  const lines = state.path.filter(isKnown);
  const asked = lines.findLast((event) => event.type === 'approval.asked' && event.callId === callId);
  const decided = lines.findLast((event) => event.type === 'approval.decided' && event.callId === callId);
  return asked !== undefined && decided !== undefined && decided.seq > asked.seq;
}

/** The question, once for each call. */
export function toApprovalAsked(
  state: SessionState,
  { callId, name, args }: ReplyCall,
  argsHash: string,
): readonly NewEvent[] {
  const since = state.items.findLast((item) => item.event.type === 'message.assistant')?.point ?? 0;
  const asked = state.path.some(
    (event) => isKnown(event) && event.type === 'approval.asked' && event.seq > since && event.callId === callId,
  );
  const preview = toJson(args).slice(0, PREVIEW_CHARACTERS);
  return asked ? [] : [{ type: 'approval.asked', callId, name, argsHash, preview }];
}
