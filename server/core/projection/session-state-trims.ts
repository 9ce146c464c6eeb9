import type { StoredEvent } from '@/server/contract/events/event';
import type { TrimAction } from '@/server/contract/events/view-events';
import type { CheckpointInForce, Item, SessionState } from './state-shape';

type Trimmed = StoredEvent<'view.trimmed'>;

interface Input {
  readonly lines: readonly StoredEvent[];
  readonly items: readonly Item[];
  readonly checkpoint: CheckpointInForce | null;
}

/**
 * The trims in force and their union: the newest action of a key counts, a drop before any other (`contract.md` 12).
 * A checkpoint in force ends an older trim for what it covers; a trim of which nothing is left is in force no more.
 */
export function foldTrims({ lines, items, checkpoint }: Input): Pick<SessionState, 'trims' | 'trimActions'> {
  return uniteTrims(standingTrims(lines), { items, checkpoint });
}

/** As `foldTrims`, of trims of the path that nobody lifted, the oldest first. */
export function uniteTrims(
  standing: readonly Trimmed[],
  { items, checkpoint }: Omit<Input, 'lines'>,
): Pick<SessionState, 'trims' | 'trimActions'> {
  const isEnded = endedBy(checkpoint, items);
  const trims: Trimmed[] = [];
  const trimActions = new Map<string, TrimAction>();
  for (const trim of standing) {
    const actions = trim.actions.filter((action) => !isEnded(trim, action));
    if (actions.length > 0) trims.push(trim);
    for (const action of actions) {
      const key = action.item ?? action.checkpoint ?? '';
      if (trimActions.get(key)?.do !== 'drop') trimActions.set(key, action);
    }
  }
  return { trims, trimActions };
}

function standingTrims(lines: readonly StoredEvent[]): readonly Trimmed[] {
  const lifted = new Set<string>();
  const trims: Trimmed[] = [];
  for (const event of lines) {
    if (event.type === 'view.untrimmed') lifted.add(event.trimId);
    if (event.type === 'view.trimmed') trims.push(event);
  }
  return trims.filter((trim) => !lifted.has(trim.id));
}

/** An item a trim names stands on its path, so whatever is not behind the cut is covered: only those are looked at. */
function endedBy(checkpoint: CheckpointInForce | null, items: readonly Item[]) {
  const event = checkpoint?.event;
  const through = event ? items.findLastIndex((item) => item.id === event.covers.through) : -1;
  const uncovered = new Set(items.slice(through + 1).map((item) => item.id));
  return (trim: Trimmed, action: TrimAction): boolean => {
    if (action.checkpoint !== undefined) return action.checkpoint !== event?.id;
    return event !== undefined && trim.seq < event.seq && action.item !== undefined && !uncovered.has(action.item);
  };
}
