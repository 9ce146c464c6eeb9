import type { FieldsOf } from '@/server/contract/events/event';
import { jsonStringBytes } from '@/server/core/budget/json-bytes';
import type { CarryOver } from '@/server/core/projection/state-shape';
import { toSummaryText } from '@/server/core/projection/view-texts-summary';

export type TakenCarryOvers = FieldsOf<'checkpoint.committed'>['carry'];

/**
 * What a summary takes along, word for word, when it is written (K1): in list order, new ones on top, until one does
 * not fit the bound; it and all below are named as dropped, so that nothing leaves unseen. Bytes are those of the
 * lines in the summary's frame, in the measure of the floor.
 */
export function takeCarryOvers(list: readonly CarryOver[], boundBytes: number): TakenCarryOvers {
  let fits = 0;
  while (fits < list.length && measureCarried(list.slice(0, fits + 1)) <= boundBytes) fits += 1;
  return {
    kept: list.slice(0, fits).map(({ id, text }) => ({ id, text })),
    dropped: list.slice(fits).map((carry) => ({ id: carry.id, bytes: measureCarried([carry]), reason: 'bound' })),
  };
}

/** Bytes that carry-over lines take in a summary, their title included; nothing where there are none. */
export function measureCarried(list: readonly Pick<CarryOver, 'text'>[]): number {
  if (list.length === 0) return 0;
  const carried = list.map((carry) => carry.text);
  const content = { checkpointId: '', body: '', throughNumber: 1, throughId: '', carried, stale: [] };
  return jsonStringBytes(toSummaryText(content, null).carryText) - 2;
}
