import type { Group, Item, SessionState } from './state-shape';

/**
 * Responded history: the path up to the newest responded item (`contract.md` 8). An item is responded when its turn
 * has ended with at least one assistant item, or it stands before such a turn; items outside any turn (imports) are
 * up to the last assistant item among them. What comes after it is unanswered and stays verbatim.
 */
export function respondedItems(state: SessionState): readonly Item[] {
  const { items } = state;
  const withReply = new Set<string>();
  for (const { turnId, event } of items)
    if (turnId !== null && event.type === 'message.assistant') withReply.add(turnId);
  const running = state.openTurn?.turnId;
  const last = items.findLastIndex(({ turnId, event }) =>
    turnId === null ? event.type === 'message.assistant' : turnId !== running && withReply.has(turnId),
  );
  return items.slice(0, last + 1);
}

/** Items as groups: one user message, or one assistant message with all results of its calls. */
export function toGroups(items: readonly Item[]): readonly Group[] {
  const groups: Item[][] = [];
  for (const item of items) {
    const newest = groups.at(-1);
    const joins = item.event.type === 'tool.result' && newest?.[0]?.event.type === 'message.assistant';
    if (joins) newest.push(item);
    else groups.push([item]);
  }
  return groups.map((members) => ({ items: members }));
}

/**
 * Numbers of the items after which a cut is legal: between two groups of the path, never inside a batch. The batch
 * of a turn that still runs is not complete before all its calls have results.
 */
export function legalCuts(state: SessionState): readonly number[] {
  const groups = toGroups(state.items);
  const cuts = groups.flatMap((group) => group.items.at(-1)?.number ?? []);
  return isBatchOpen(state, groups.at(-1)) ? cuts.slice(0, -1) : cuts;
}

function isBatchOpen({ openTurn }: SessionState, group: Group | undefined): boolean {
  const [message, ...results] = group?.items ?? [];
  if (openTurn === null || message?.event.type !== 'message.assistant') return false;
  if (message.turnId !== openTurn.turnId) return false;
  const answered = new Set(results.map(({ event }) => (event.type === 'tool.result' ? event.callId : null)));
  return message.event.parts.some((part) => part.type === 'tool_call' && !answered.has(part.callId));
}

/**
 * The results that a mask may name: those of the newest batch before the message that calls (M1, M2). `byCall` is
 * the masking call; without it, the newest batch of the path.
 */
export function newestBatch(state: SessionState, byCall?: string): readonly Item[] {
  const groups = toGroups(state.items);
  const calling = groups.findLastIndex(({ items }) => byCall !== undefined && hasCall(items[0], byCall));
  if (byCall !== undefined && calling < 0) return [];
  const before = byCall === undefined ? groups : groups.slice(0, calling);
  const batch = before.findLast(({ items }) => items.some(({ event }) => event.type === 'tool.result'));
  return (batch?.items ?? []).filter(({ event }) => event.type === 'tool.result');
}

function hasCall(item: Item | undefined, callId: string): boolean {
  if (item?.event.type !== 'message.assistant') return false;
  return item.event.parts.some((part) => part.type === 'tool_call' && part.callId === callId);
}
