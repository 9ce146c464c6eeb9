import type { StoredEvent } from '@/server/contract/events/event';
import type { LogTail, ScanStart } from '@/server/core/log/scan-log';
import type { ScannedRecord } from '@/server/core/log/scan-log-record';
import type { DamageRange } from '@/server/core/projection/state-shape';
import type { LogFile } from './file-ops';
import { scanFile } from './log-file-scan';

/** What the writer must know of a file before it adds to it. */
export interface Survey {
  readonly lines: number;
  readonly newestSeq: number;
  readonly tail: LogTail;
  /** The torn tail, to be sealed before the next line; null when there is none. */
  readonly torn: DamageRange | null;
  /** Damage that no `log.damage` of the file names yet. */
  readonly damage: readonly DamageRange[];
  /** Whole lines behind what this process acknowledged; none on its first look at a file. */
  readonly unacknowledged: readonly StoredEvent[];
  /** True when the file holds an event that the caller is not about to write. */
  readonly holdsOthers: boolean;
}

export interface SurveyRange {
  readonly start: ScanStart;
  /** Bytes of the file. */
  readonly size: number;
  /** Ids the caller is about to write. */
  readonly pending: ReadonlySet<string>;
  /** Nothing of this file was acknowledged by this process yet: all of it is what an earlier one left. */
  readonly isFirst: boolean;
  /** Damage before the start that no line before it reports. */
  readonly unreported: readonly DamageRange[];
}

/**
 * Reads a file from `start` to `size` and changes nothing. Damage is matched with earlier reports by its byte
 * range, so that each place is reported once however often a log is opened (L6).
 */
export async function surveyLog(
  file: LogFile,
  { start, size, pending, isFirst, unreported }: SurveyRange,
): Promise<Survey> {
  const damage: DamageRange[] = [...unreported];
  const reported = new Set<string>();
  const unacknowledged: StoredEvent[] = [];
  let torn: DamageRange | null = null;
  let holdsOthers = false;
  const take = (record: ScannedRecord) => {
    if (record.kind === 'torn' && record.range.to === size) torn = record.range;
    if (record.kind === 'damage') damage.push(record.range);
    if (record.kind !== 'event') return;
    const { event } = record;
    holdsOthers ||= !pending.has(event.id);
    if ('unknown' in event) return;
    if (event.type === 'log.damage') for (const range of event.ranges) reported.add(keyOf(range));
    if (event.type === 'log.sealed') reported.add(keyOf(event));
    if (!isFirst) unacknowledged.push(event);
  };
  const end = await scanFile(file, { start, to: size }, take);
  return { ...end, torn, damage: damage.filter((range) => !reported.has(keyOf(range))), unacknowledged, holdsOthers };
}

function keyOf({ from, to }: { readonly from: number; readonly to: number }): string {
  return `${from}:${to}`;
}
