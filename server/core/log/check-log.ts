import type { LogEvent } from '@/server/contract/events/event';
import { foldLog } from '@/server/core/projection/log-state';
import type { DamageRange, LogState, Violation } from '@/server/core/projection/state-shape';
import { type Finding, toViolation } from './check-log-finding';

/** A record with its byte range; ranges are half-open and without the newline. */
export type CheckedRecord =
  | { readonly kind: 'event'; readonly event: LogEvent; readonly from: number; readonly to: number }
  | { readonly kind: 'damage' | 'torn'; readonly range: DamageRange };

export interface LogReport {
  readonly log: LogState;
  /** Named violations of section 5 in file order; lines a newer version made are none. */
  readonly violations: readonly Violation[];
  readonly damage: readonly DamageRange[];
}

/**
 * Checks a whole log against `contract.md` section 5: everything replay finds, and rules 1 and 2, which are about the
 * file. Changes nothing and never stops: a broken rule is a line of the report.
 */
export function checkLog(records: Iterable<CheckedRecord>): LogReport {
  const all: CheckedRecord[] = [];
  const opening: LogEvent[] = [];
  const found: Violation[] = [];
  const lines = new LineCounter();
  for (const record of records) {
    all.push(record);
    if (record.kind !== 'event') {
      lines.giveUp();
      continue;
    }
    if (opening.length < 2) opening.push(record.event);
    const expected = lines.expect(record);
    if (expected !== null && record.event.seq !== expected) found.push(toViolation(record.event, seqFinding(expected)));
    lines.stand(record);
  }
  const log = foldLog(all);
  const violations = [...found, ...checkOpening(opening, log.damage), ...log.violations];
  return { log, damage: log.damage, violations: violations.sort((a, b) => a.seq - b.seq) };
}

const seqFinding = (expected: number): Finding => ({ rule: 1, ignored: false, text: `it stands on line ${expected}` });

/**
 * Counts lines by their bytes, empty ones too. What stands behind damage, behind a line that lost its newline or behind a wrong
 * number is counted from the next record on, so that one fault hides no later one.
 */
class LineCounter {
  #line: number | null = 0;
  #end = -1;

  /** The number of the line the record stands on; null where damage precedes it. A glued record follows the one before it. */
  expect({ from }: { readonly from: number }): number | null {
    return this.#line === null ? null : this.#line + 1 + Math.max(0, from - (this.#end + 1));
  }

  stand({ event, to }: { readonly event: LogEvent; readonly to: number }): void {
    this.#line = event.seq;
    this.#end = to;
  }

  giveUp(): void {
    this.#line = null;
  }
}

/** Rule 2: only reported, since a lost first line must not cost the rest. */
function checkOpening(events: readonly LogEvent[], damage: readonly DamageRange[]): readonly Violation[] {
  const [first, second] = events;
  if (!first) return [];
  const isDamaged = damage.length > 0 ? ' (lines are damaged)' : '';
  if (first.type !== 'log.opened') {
    return [toViolation(first, { rule: 2, ignored: false, text: `the first line is no log.opened${isDamaged}` })];
  }
  if (!second || isRoot(first, second)) return [];
  return [toViolation(second, { rule: 2, ignored: false, text: `the second line does not open the root${isDamaged}` })];
}

function isRoot(first: LogEvent, second: LogEvent): boolean {
  if ('unknown' in second || second.type !== 'branch.opened') return false;
  return (second.kind === 'root' || second.kind === 'import') && second.branch === first.branch;
}
