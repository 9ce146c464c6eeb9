import type { StoredEvent } from '@/server/contract/events/event';
import type { ToolCallState } from '@/server/contract/view-parts';
import type { Item, LogState, SessionState } from './state-shape';

export interface ShownCall {
  readonly state: ToolCallState;
  readonly preview: string | null;
  readonly subagent: { readonly sessionId: string } | null;
}

type PathEvent = StoredEvent<'tool.result' | 'tool.started' | 'approval.asked' | 'approval.decided'>;

/** What became of every call on the path. Call ids may repeat between messages, so a call is looked up by both. */
export interface CallIndex {
  readonly ofMessage: ReadonlyMap<string, { readonly events: readonly PathEvent[]; readonly next: number }>;
  readonly subagents: readonly StoredEvent<'branch.opened'>[];
  readonly runningTurn: string | null;
}

/** Collects what follows each assistant message up to the next one; `lines` are those of the path that count. */
export function indexCalls(log: LogState, state: SessionState, lines: readonly StoredEvent[]): CallIndex {
  const found: { id: string; events: PathEvent[]; next: number }[] = [];
  for (const event of lines) {
    const newest = found.at(-1);
    if (event.type === 'message.assistant') {
      if (newest) newest.next = event.seq;
      found.push({ id: event.id, events: [], next: Number.POSITIVE_INFINITY });
    } else if (newest && isAboutCall(event)) newest.events.push(event);
  }
  const onPath = new Set(lines.map(({ seq }) => seq));
  const subagents = [...log.branches.values()].flatMap(({ opened }) =>
    opened.kind === 'subagent' && opened.parent && onPath.has(opened.parent.seq) ? [opened] : [],
  );
  const ofMessage = new Map(found.map(({ id, events, next }) => [id, { events, next }]));
  return { ofMessage, subagents, runningTurn: state.openTurn?.turnId ?? null };
}

function isAboutCall(event: StoredEvent): event is PathEvent {
  return (
    event.type === 'tool.result' ||
    event.type === 'tool.started' ||
    event.type === 'approval.asked' ||
    event.type === 'approval.decided'
  );
}

/** A call of a message as it stands now: its state, what it asks a person, the subagent it opened. */
export function showCall(index: CallIndex, message: Item, callId: string): ShownCall {
  const { events, next } = index.ofMessage.get(message.id) ?? { events: [], next: Number.POSITIVE_INFINITY };
  const own = events.filter((event) => event.callId === callId);
  const subagent = index.subagents.findLast(
    ({ parent }) => parent?.callId === callId && parent.seq >= message.point && parent.seq < next,
  );
  const isRunning = message.turnId !== null && message.turnId === index.runningTurn;
  const state = stateOf(own, isRunning);
  const asked = own.findLast((event) => event.type === 'approval.asked');
  return {
    state,
    preview: state === 'waiting_approval' ? (asked?.preview ?? null) : null,
    subagent: subagent ? { sessionId: subagent.branch } : null,
  };
}

/** A call without a result is only alive in the turn that runs; elsewhere the path ends before its result. */
function stateOf(own: readonly PathEvent[], isRunning: boolean): ToolCallState {
  const result = own.find((event) => event.type === 'tool.result');
  if (result) return stateOfResult(result);
  if (!isRunning) return 'none';
  const newest = own.at(-1);
  if (newest?.type === 'approval.asked') return 'waiting_approval';
  if (newest?.type === 'approval.decided' && newest.decision === 'deny') return 'denied';
  return newest?.type === 'tool.started' ? 'running' : 'announced';
}

function stateOfResult({ why, isError }: StoredEvent<'tool.result'>): ToolCallState {
  switch (why) {
    case 'ran':
      return isError ? 'failed' : 'done';
    case 'denied':
    case 'cancelled':
    case 'interrupted':
      return why;
    default:
      return 'failed';
  }
}
