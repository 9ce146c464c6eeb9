import type { FieldsOf } from '@/server/contract/events/event';
import { isTrip } from '@/server/core/projection/model-view-left-out';
import { resultIds, type TrimUnit, type TrimWork } from './work';

type Kinds = FieldsOf<'view.trimmed'>['kinds'];
type Kind = keyof Kinds;

/**
 * What a trim took, by kind (B6): how many, and how many bytes the view lost by it. Inside a trip that stays, stubbed
 * and shortened results count as results; what else shrank counts by what it is.
 */
export function tallyKinds(work: TrimWork): Kinds {
  const kinds = {
    results: { count: 0, bytes: 0 },
    trips: { count: 0, bytes: 0 },
    replies: { count: 0, bytes: 0 },
    messages: { count: 0, bytes: 0 },
  };
  const added = new Set(work.addedActions().map((action) => action.item));
  for (const unit of work.units) {
    const { kind, count } = toKind(work, unit, added);
    if (count === 0) continue;
    kinds[kind].count += count;
    kinds[kind].bytes += Math.max(0, unit.beforeBytes - unit.bytes);
  }
  return kinds;
}

function toKind(work: TrimWork, unit: TrimUnit, added: ReadonlySet<string | undefined>): { kind: Kind; count: number } {
  const { group } = unit;
  const isItself = added.has(group.item.id);
  if (group.kind === 'message') return { kind: 'messages', count: isItself ? 1 : 0 };
  if (work.isLeftOut(unit)) return { kind: isTrip(group) ? 'trips' : 'replies', count: isItself ? 1 : 0 };
  if (group.kind === 'orphan') return { kind: 'results', count: isItself ? 1 : 0 };
  const results = resultIds(group).filter((id) => added.has(id)).length;
  return results > 0 ? { kind: 'results', count: results } : { kind: 'replies', count: isItself ? 1 : 0 };
}
