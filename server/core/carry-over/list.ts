import type { StoredEvent } from '@/server/contract/events/event';
import type { CarryOver } from '@/server/core/projection/state-shape';

/**
 * The carry-overs marked on a path, in list order: new ones on top until a person orders them (K1). Editing keeps the
 * place; what an order does not name keeps its place before the named ones, as newer ones do.
 */
export function foldCarryOvers(lines: readonly StoredEvent[]): readonly CarryOver[] {
  let list: readonly CarryOver[] = [];
  for (const event of lines) list = stepCarryOvers(list, event);
  return list;
}

/** The list with one line more of its path. */
export function stepCarryOvers(list: readonly CarryOver[], event: StoredEvent): readonly CarryOver[] {
  switch (event.type) {
    case 'carry.marked':
      return [{ id: event.id, text: event.text, sourceItem: event.sourceItem, by: event.by, at: event.at }, ...list];
    case 'carry.edited':
      return list.map((carry) => (carry.id === event.carryId ? { ...carry, text: event.text } : carry));
    case 'carry.removed':
      return list.filter((carry) => carry.id !== event.carryId);
    case 'carry.ordered':
      return order(list, event.carryIds);
    default:
      return list;
  }
}

function order(list: readonly CarryOver[], ids: readonly string[]): readonly CarryOver[] {
  const named = [...new Set(ids)].flatMap((id) => list.filter((carry) => carry.id === id));
  return [...list.filter((carry) => !ids.includes(carry.id)), ...named];
}
