import type { ItemEvent, StoredEvent } from '@/server/contract/events/event';
import { stateLinesBack } from '@/server/core/projection/log-state-path';
import { itemPlacedBy, tallyOf } from '@/server/core/projection/log-state-tally';
import type { LogState, PathTally } from '@/server/core/projection/state-shape';
import type { Candidate, Finding } from './check-log-finding';

/**
 * Rules 9, 10 and 13 of `contract.md` section 5. Where a line of the log is lost, a range that no longer counts
 * right is only reported: one lost line must not bring back everything a summary stood for. Only what stands behind the
 * cut is walked; of what is covered the tally of the path tells enough (perf-B1).
 */
export function judgeCheckpoint(
  { log, branch, event, link }: Candidate,
  checkpoint: StoredEvent<'checkpoint.committed'>,
): readonly Finding[] {
  const walk = walkToCut(log, link, checkpoint.covers.through);
  if (walk === null) return [{ rule: 9, ignored: true, text: 'it covers an item that is not on its path' }];
  const tally = (link ?? 0) === branch.head ? branch.tally : tallyOf(log, link);
  const isDamaged = log.damage.length > 0;
  return [
    ...judgeRange({ tally, walk, checkpoint, isDamaged }),
    ...judgeCut(walk, branch.openTurn !== null),
    ...judgeKeep({ tally, walk, checkpoint, isDamaged }),
    ...(checkpoint.imported === true || hasAcceptedAttempt(log, branch.lines, checkpoint.compactionId)
      ? []
      : [{ rule: 13, ignored: true, text: `no accepted attempt before line ${event.seq}` } as const]),
  ];
}

interface Walk {
  /** Items behind the cut, in path order. */
  readonly tail: readonly ItemEvent[];
  /** Covered items walked so far, the newest first; the rest is walked when it is asked for. */
  readonly covered: ItemEvent[];
  readonly before: Iterator<ItemEvent, undefined>;
}

function walkToCut(log: LogState, head: number | null, throughId: string): Walk | null {
  const items = itemsBack(log, head);
  const tail: ItemEvent[] = [];
  for (let next = items.next(); !next.done; next = items.next()) {
    if (next.value.id === throughId) return { tail: tail.reverse(), covered: [next.value], before: items };
    tail.push(next.value);
  }
  return null;
}

/** The items of the path that ends at `head`, the newest first. */
function* itemsBack(log: LogState, head: number | null): Generator<ItemEvent, undefined> {
  for (const line of stateLinesBack(log, head)) {
    const item = itemPlacedBy(log, line);
    if (item !== null) yield item;
  }
}

interface Covered {
  readonly tally: PathTally;
  readonly walk: Walk;
  readonly checkpoint: StoredEvent<'checkpoint.committed'>;
  readonly isDamaged: boolean;
}

function judgeRange({ tally, walk, checkpoint, isDamaged }: Covered): readonly Finding[] {
  const ignored = !isDamaged;
  const covered = tally.items - walk.tail.length;
  if (tally.firstItem !== checkpoint.covers.from) {
    return [{ rule: 9, ignored, text: 'it does not begin at the first item of the path' }];
  }
  if (covered === checkpoint.covers.items) return [];
  return [{ rule: 9, ignored, text: `it says ${checkpoint.covers.items} items and covers ${covered}` }];
}

/** A cut never lies inside a batch (`contract.md` 8). */
function judgeCut(walk: Walk, isTurnOpen: boolean): readonly Finding[] {
  const inside: Finding = { rule: 9, ignored: true, text: 'it ends inside a batch' };
  const [next] = walk.tail;
  if (next !== undefined) return next.type === 'tool.result' ? [inside] : [];
  return isTurnOpen && hasOpenCall(walk) ? [inside] : [];
}

/** Looks at the newest batch only. */
function hasOpenCall(walk: Walk): boolean {
  const answered = new Set<string>();
  let place = 0;
  let item = coveredAt(walk, place);
  while (item?.type === 'tool.result') {
    answered.add(item.callId);
    place += 1;
    item = coveredAt(walk, place);
  }
  if (item?.type !== 'message.assistant') return false;
  return item.parts.some((part) => part.type === 'tool_call' && !answered.has(part.callId));
}

/** The covered items counted back from the cut; undefined before the first. */
function coveredAt({ covered, before }: Walk, place: number): ItemEvent | undefined {
  while (covered.length <= place) {
    const next = before.next();
    if (next.done) return undefined;
    covered.push(next.value);
  }
  return covered[place];
}

function findCovered(walk: Walk, id: string): ItemEvent | undefined {
  for (let place = 0; ; place += 1) {
    const item = coveredAt(walk, place);
    if (item === undefined || item.id === id) return item;
  }
}

function judgeKeep({ tally, walk, checkpoint, isDamaged }: Covered): readonly Finding[] {
  const findings: Finding[] = [];
  for (const id of checkpoint.keep) {
    if (id === tally.firstPerson && !walk.tail.some((item) => item.id === id)) continue;
    const item = findCovered(walk, id);
    if (!item) findings.push({ rule: 10, ignored: !isDamaged, text: `it keeps ${id}, which it does not cover` });
    else if (item.type !== 'message.user')
      findings.push({ rule: 10, ignored: true, text: `it keeps ${id}, no message` });
  }
  const first = walk.tail.some((item) => item.id === tally.firstPerson) ? null : tally.firstPerson;
  if (first !== null && checkpoint.imported !== true && !checkpoint.keep.includes(first)) {
    findings.push({ rule: 10, ignored: false, text: 'the first message of a person is not kept' });
  }
  return findings;
}

function hasAcceptedAttempt(log: LogState, lines: readonly number[], compactionId: string): boolean {
  for (let place = lines.length - 1; place >= 0; place -= 1) {
    const event = log.bySeq.get(lines[place] ?? 0);
    if (!event || 'unknown' in event) continue;
    if (event.type === 'compaction.attempt' && event.compactionId === compactionId && event.outcome === 'accepted')
      return true;
    if (event.type === 'compaction.started' && event.compactionId === compactionId) return false;
  }
  return false;
}
