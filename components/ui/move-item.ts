export type Move = 'up' | 'down' | 'first' | 'last';

/** The list with one item moved; the same list when it cannot go further. */
export function moveItem<Item>(items: readonly Item[], from: number, move: Move): readonly Item[] {
  const to = { up: from - 1, down: from + 1, first: 0, last: items.length - 1 }[move];
  const item = items[from];
  if (item === undefined || to === from || to < 0 || to >= items.length) return items;
  const rest = items.filter((_, index) => index !== from);
  return [...rest.slice(0, to), item, ...rest.slice(to)];
}

/** Where the focus goes after the item at `removed` left a list that now has `count`: the next, else the one before; null when empty. */
export function focusAfterRemoval(removed: number, count: number): number | null {
  return count === 0 ? null : Math.min(removed, count - 1);
}
