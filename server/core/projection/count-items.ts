import { baseOf } from './growing-list';
import type { Item } from './state-shape';

export interface ItemKinds {
  readonly user: number;
  readonly assistant: number;
  readonly tool: number;
}

/** A beginning of items that is not held, and yet knows how many of each kind there are. */
export interface CountedItems {
  countKinds(end: number): ItemKinds;
}

/** How many items of each kind stand before a place. No item is read for it that is not held. */
export function countItems(items: readonly Item[], end: number): ItemKinds {
  const base = baseOf(items);
  const held = base !== null && 'countKinds' in base && isCounted(base) ? base : null;
  const from = held === null ? 0 : Math.min(end, held.length);
  const kinds = { user: 0, assistant: 0, tool: 0, ...held?.countKinds(from) };
  for (let place = from; place < end; place += 1) {
    const type = items.at(place)?.event.type;
    if (type === 'message.user') kinds.user += 1;
    if (type === 'message.assistant') kinds.assistant += 1;
    if (type === 'tool.result') kinds.tool += 1;
  }
  return kinds;
}

function isCounted(base: object): base is CountedItems & { readonly length: number } {
  return 'countKinds' in base && typeof base.countKinds === 'function' && 'length' in base;
}
