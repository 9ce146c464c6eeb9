import type { DamageRange } from '@/server/core/projection/state-shape';

/** Places that one line of the output names; a file of a million damaged lines must not fill it. */
const MOST_NAMED = 20;

/**
 * Says damage of logs in one line each time something new was found: the log's id, where and why, never what stands there
 * (L6). A log only grows, so what was told of it before is told by its count.
 */
export function createDamageTeller(
  report: (line: string) => void,
): (logId: string, damage: readonly DamageRange[]) => void {
  const told = new Map<string, number>();
  return (logId, damage) => {
    const fresh = damage.slice(told.get(logId) ?? 0);
    if (fresh.length === 0) return;
    told.set(logId, damage.length);
    const places = fresh.slice(0, MOST_NAMED).map(({ from, to, why }) => `${from}-${to} (${why})`);
    const more = fresh.length > MOST_NAMED ? ` and ${fresh.length - MOST_NAMED} more` : '';
    report(`The log ${logId} is damaged at bytes ${places.join(', ')}${more}; everything else in it is read.`);
  };
}
