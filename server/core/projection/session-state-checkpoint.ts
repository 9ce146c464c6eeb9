import type { StoredEvent } from '@/server/contract/events/event';
import type { CheckpointInForce, Item } from './state-shape';

type Committed = StoredEvent<'checkpoint.committed'>;
type Part = { readonly kind: 'expanded' | 'folded'; readonly first: number; readonly last: number };

interface Standing {
  readonly event: Committed;
  readonly parts: readonly Part[];
}

/**
 * The checkpoint in force: the newest on the path that is not reverted. An undo names the newest one; the one before
 * it is then in force again, with the parts of it that were expanded (`contract.md` 2, X5).
 */
export function foldCheckpoints(lines: readonly StoredEvent[], items: readonly Item[]): CheckpointInForce | null {
  const numbers = new Map(items.map((item) => [item.id, item.number]));
  let standing: readonly Standing[] = [];
  for (const event of lines) {
    if (event.type === 'checkpoint.committed') standing = [...standing, { event, parts: [] }];
    const newest = standing.at(-1);
    if (!newest) continue;
    if (event.type === 'checkpoint.reverted' && event.checkpointId === newest.event.id)
      standing = standing.slice(0, -1);
    if (event.type !== 'checkpoint.expanded' && event.type !== 'checkpoint.folded') continue;
    if (event.checkpointId !== newest.event.id) continue;
    standing = [...standing.slice(0, -1), { ...newest, parts: [...newest.parts, toPart(event, numbers)] }];
  }
  const newest = standing.at(-1);
  if (!newest) return null;
  const through = numbers.get(newest.event.covers.through) ?? 0;
  const keep = newest.event.keep.flatMap((id) => {
    const item = items[(numbers.get(id) ?? 0) - 1];
    return item && item.number <= through ? [item] : [];
  });
  return { event: newest.event, keep, expanded: rangesOf(newest, items) };
}

/**
 * The undo of each checkpoint that was undone. One that names an older checkpoint than the newest in force undoes
 * nothing, here as in the state (`contract.md` 2).
 */
export function foldUndone(lines: readonly StoredEvent[]): ReadonlyMap<string, StoredEvent<'checkpoint.reverted'>> {
  const undone = new Map<string, StoredEvent<'checkpoint.reverted'>>();
  const standing: string[] = [];
  for (const event of lines) {
    if (event.type === 'checkpoint.committed') standing.push(event.id);
    if (event.type !== 'checkpoint.reverted' || event.checkpointId !== standing.at(-1)) continue;
    standing.pop();
    undone.set(event.checkpointId, event);
  }
  return undone;
}

function toPart(
  event: StoredEvent<'checkpoint.expanded' | 'checkpoint.folded'>,
  numbers: ReadonlyMap<string, number>,
): Part {
  const kind = event.type === 'checkpoint.expanded' ? 'expanded' : 'folded';
  return { kind, first: numbers.get(event.from) ?? 0, last: numbers.get(event.through) ?? -1 };
}

/** Disjoint, in path order; never beyond what the checkpoint covers. */
function rangesOf({ event, parts }: Standing, items: readonly Item[]): CheckpointInForce['expanded'] {
  if (parts.length === 0) return [];
  const end = items.findIndex((item) => item.id === event.covers.through) + 1;
  const ranges: { from: string; through: string }[] = [];
  let isOpen = false;
  for (const item of items.slice(0, end)) {
    const newest = parts.findLast((part) => part.first <= item.number && item.number <= part.last);
    const isExpanded = newest?.kind === 'expanded';
    const range = ranges.at(-1);
    if (isExpanded && isOpen && range) range.through = item.id;
    else if (isExpanded) ranges.push({ from: item.id, through: item.id });
    isOpen = isExpanded;
  }
  return ranges;
}
