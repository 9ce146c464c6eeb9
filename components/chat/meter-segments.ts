import type { ContextMeter } from '@/server/contract/context';
import { formatBytes } from '../ui/format-bytes';

export type SegmentName = 'instructions' | 'skills' | 'memory' | 'summary' | 'messages' | 'results';

export interface MeterSegment {
  readonly name: SegmentName;
  readonly label: string;
  readonly bytes: number;
}

const labels: Readonly<Record<SegmentName, string>> = {
  instructions: 'Agent instructions',
  skills: 'Skills',
  memory: 'Memory, carry-over',
  summary: 'Summary',
  messages: 'Messages',
  results: 'Tool results',
};
const order: readonly SegmentName[] = ['instructions', 'skills', 'memory', 'summary', 'messages', 'results'];

const segmentOf = {
  application: 'instructions',
  instructions: 'instructions',
  tools: 'instructions',
  skills: 'skills',
  memories: 'memory',
  plan: 'memory',
  carry_overs: 'memory',
  summary: 'summary',
  messages: 'messages',
  tool_results: 'results',
} as const;

/** The parts of a context in their fixed order; together they are the bytes in use. */
export function toSegments({
  floor,
  conversation,
}: Pick<ContextMeter, 'floor' | 'conversation'>): readonly MeterSegment[] {
  const sums = new Map<SegmentName, number>();
  for (const { part, bytes } of [...floor, ...conversation]) {
    const name = segmentOf[part];
    sums.set(name, (sums.get(name) ?? 0) + bytes);
  }
  return order.map((name) => ({ name, label: labels[name], bytes: sums.get(name) ?? 0 }));
}

export interface Bar {
  readonly name: SegmentName;
  readonly x: number;
  readonly width: number;
}

const leastPx = 3;
const gapPx = 1;

/** Where each segment is drawn on a bar this wide. None is narrower than 3 px; what that takes, the widest gives. */
export function layBars(segments: readonly MeterSegment[], total: number, widthPx: number): readonly Bar[] {
  const shown = segments.filter((segment) => segment.bytes > 0);
  if (total <= 0) return [];
  const wanted = shown.map((segment) => Math.max(leastPx, (segment.bytes / total) * widthPx - gapPx));
  const over = wanted.reduce((sum, width) => sum + width + gapPx, 0) - widthPx;
  const widest = wanted.indexOf(Math.max(...wanted));
  let x = 0;
  return shown.map((segment, index) => {
    const width = Math.max(leastPx, (wanted[index] ?? 0) - (index === widest && over > 0 ? over : 0));
    const bar = { name: segment.name, x, width };
    x += width + gapPx;
    return bar;
  });
}

export interface MeterWords {
  readonly percent: number;
  /** `61 %`, `≈ 61 %`, or the bytes where no limit is known. */
  readonly short: string;
  readonly long: string;
  readonly level: 'quiet' | 'soon' | 'near';
  readonly hatched: boolean;
  /** Where automatic compaction begins, as a part of the whole; null where it is off the bar. */
  readonly tick: number | null;
}

/** Contract 7: percent is of the budget, the words go by the conversation's share of its room. */
export function wordMeter(meter: ContextMeter): MeterWords {
  const { budgetBytes, usedBytes, roomBytes, basis, windowSource, triggerBytes } = meter;
  const percent = budgetBytes > 0 ? Math.round((usedBytes / budgetBytes) * 100) : 0;
  const conversation = meter.conversation.reduce((sum, part) => sum + part.bytes, 0);
  const fill = roomBytes > 0 ? conversation / roomBytes : 1;
  const about = basis === 'estimated' ? '≈\u00a0' : '';
  const assumed = windowSource === 'unknown';
  const floorBytes = usedBytes - conversation;
  const tick = budgetBytes > 0 ? (floorBytes + triggerBytes) / budgetBytes : 0;
  return {
    percent,
    short: `${about}${percent}\u00a0%`,
    long: assumed
      ? `${formatBytes(usedBytes)} used, limit assumed`
      : `About ${formatBytes(usedBytes)} of ${formatBytes(budgetBytes)} used`,
    level: fill >= 0.85 ? 'near' : fill >= 0.7 ? 'soon' : 'quiet',
    hatched: assumed,
    tick: tick > 0 && tick <= 1 ? tick : null,
  };
}
