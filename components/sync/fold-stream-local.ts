import type { ChatState, OutboxMessage } from './fold-stream';
import { foldRequested, isLive } from './fold-stream-compaction';

/** What this tab does before the server knows: drawn from the click, undone or confirmed by the answer. */
export type LocalAction =
  | { readonly kind: 'sent'; readonly message: OutboxMessage }
  | { readonly kind: 'refused'; readonly clientMessageId: string }
  | { readonly kind: 'compact'; readonly clientRequestId: string; readonly focus: string | null; readonly at: string }
  | { readonly kind: 'compact_acknowledged'; readonly clientRequestId: string }
  | { readonly kind: 'compact_refused'; readonly clientRequestId: string; readonly reason: string }
  | { readonly kind: 'stopping'; readonly stopping: boolean }
  | { readonly kind: 'cancelling' }
  | { readonly kind: 'cancel_refused' }
  | { readonly kind: 'row_closed' }
  | { readonly kind: 'notices_closed' };

/** A row that only told of an end leaves with the next message that is sent (ux 6.3); one that failed has its place among them. */
function withoutEnded(state: ChatState): ChatState['compaction'] {
  const row = state.compaction;
  // Refused before it began, it is in no ledger and has no place of its own.
  const refused = row?.state === 'failed' && row.compactionId === null;
  return row?.state === 'cancelled' || row?.state === 'skipped' || refused ? null : row;
}

export function foldLocal(state: ChatState, action: LocalAction): ChatState {
  const row = state.compaction;
  switch (action.kind) {
    case 'sent':
      return { ...state, outbox: [...state.outbox, action.message], compaction: withoutEnded(state) };
    case 'refused':
      return { ...state, outbox: state.outbox.filter((sent) => sent.clientMessageId !== action.clientMessageId) };
    case 'compact':
      return { ...state, compaction: foldRequested(row, action) };
    case 'compact_acknowledged':
      return row?.clientRequestId === action.clientRequestId
        ? { ...state, compaction: { ...row, acknowledged: true } }
        : state;
    case 'compact_refused':
      return isLive(row) && row.clientRequestId === action.clientRequestId
        ? { ...state, compaction: { ...row, state: 'failed', reason: action.reason } }
        : state;
    case 'stopping':
      return state.turn?.state === 'started' ? { ...state, turn: { ...state.turn, stopping: action.stopping } } : state;
    case 'cancelling':
      return isLive(row) ? { ...state, compaction: { ...row, state: 'cancelling' } } : state;
    case 'cancel_refused':
      return row?.state === 'cancelling'
        ? { ...state, compaction: { ...row, state: row.compactionId === null ? 'requested' : 'running' } }
        : state;
    case 'row_closed':
      return isLive(row) ? state : { ...state, compaction: null };
    case 'notices_closed':
      return { ...state, notices: [] };
  }
}
