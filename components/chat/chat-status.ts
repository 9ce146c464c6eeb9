import type { StreamState } from '../sync/event-stream-tab';
import type { ChatState } from '../sync/fold-stream';
import { isLive } from '../sync/fold-stream-compaction';
import type { ChatHeaderProps } from './chat-header';

/** The header's one phrase: being cut off outranks all, since the rest may be old news. */
export function wordStatus(state: ChatState, stream: StreamState, online: boolean): ChatHeaderProps['status'] {
  if (!online) return { text: 'Offline. Reading works; messages wait.', tone: 'warn' };
  if (stream === 'signed_out') return { text: 'Signed out. Reload to sign in.', tone: 'warn' };
  if (stream === 'lost') return { text: 'Connection lost. Resuming…', tone: 'warn' };
  const row = state.compaction;
  if (isLive(row) && row.state !== 'requested') return { text: 'Compacting', tone: 'heather' };
  if (isWaiting(state)) return { text: 'Waiting for you', tone: 'warn' };
  if (state.turn?.stopping) return { text: 'Stopping…', tone: 'quiet' };
  if (state.turn?.state === 'started') return { text: 'Replying', tone: 'live' };
  return isLive(row) ? { text: 'Compacting', tone: 'heather' } : null;
}

function isWaiting(state: ChatState): boolean {
  const asked = [...state.approvals.values()].some((approval) => approval.state === 'asked');
  const last = state.messages.findLast((message) => message.role === 'assistant');
  const parked =
    last?.role === 'assistant' &&
    last.parts.some((part) => part.type === 'tool_call' && part.state === 'waiting_approval');
  return asked || parked === true;
}
