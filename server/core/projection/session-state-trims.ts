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
  const isEnded = endedBy(checkpoint, items);
  const trims: Trimmed[] = [];
  const trimActions = new Map<string, TrimAction>();
  for (const trim of standingTrims(lines)) {
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

function endedBy(checkpoint: CheckpointInForce | null, items: readonly Item[]) {
  const event = checkpoint?.event;
  const end = event ? items.findIndex((item) => item.id === event.covers.through) + 1 : 0;
  const covered = new Set(items.slice(0, end).map((item) => item.id));
  return (trim: Trimmed, action: TrimAction): boolean => {
    if (action.checkpoint !== undefined) return action.checkpoint !== event?.id;
    return event !== undefined && trim.seq < event.seq && action.item !== undefined && covered.has(action.item);
  };
}
