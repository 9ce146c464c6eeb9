import type { ItemEvent, StoredEvent } from '@/server/contract/events/event';
import { stateLinesBack } from '@/server/core/projection/log-state-path';
import type { LogState } from '@/server/core/projection/state-shape';
import type { Candidate, Finding } from './check-log-finding';

/**
 * Rules 9, 10 and 13 of `contract.md` section 5. Where a line of the log is lost, a range that no longer counts
 * right is only reported: one lost line must not bring back everything a summary stood for.
 */
export function judgeCheckpoint(
  { log, branch, event, link }: Candidate,
  checkpoint: StoredEvent<'checkpoint.committed'>,
): readonly Finding[] {
  const items = itemsBack(log, link);
  const through = items.findIndex((item) => item.id === checkpoint.covers.through);
  if (through < 0) return [{ rule: 9, ignored: true, text: 'it covers an item that is not on its path' }];
  const covered = items.slice(0, through + 1);
  return [
    ...judgeRange({ covered, checkpoint, isDamaged: log.damage.length > 0 }),
    ...judgeCut(items, { through, isTurnOpen: branch.openTurn !== null }),
    ...judgeKeep({ covered, checkpoint, isDamaged: log.damage.length > 0 }),
    ...(checkpoint.imported === true || hasAcceptedAttempt(log, branch.lines, checkpoint.compactionId)
      ? []
      : [{ rule: 13, ignored: true, text: `no accepted attempt before line ${event.seq}` } as const]),
  ];
}

/** The items of the path that ends at `head`, in path order. */
function itemsBack(log: LogState, head: number | null): readonly ItemEvent[] {
  const items: ItemEvent[] = [];
  for (const line of stateLinesBack(log, head)) {
    if (line.type === 'message.assistant' || line.type === 'tool.result' || line.type === 'message.user')
      items.push(line);
    if (line.type !== 'turn.started' || line.messageId === null) continue;
    const placed = log.placedBy.get(line.messageId) === line.seq ? log.byId.get(line.messageId) : undefined;
    if (placed && !('unknown' in placed) && placed.type === 'message.user') items.push(placed);
  }
  return items.reverse();
}

interface Covered {
  readonly covered: readonly ItemEvent[];
  readonly checkpoint: StoredEvent<'checkpoint.committed'>;
  readonly isDamaged: boolean;
}

function judgeRange({ covered, checkpoint, isDamaged }: Covered): readonly Finding[] {
  const ignored = !isDamaged;
  if (covered[0]?.id !== checkpoint.covers.from) {
    return [{ rule: 9, ignored, text: 'it does not begin at the first item of the path' }];
  }
  if (covered.length === checkpoint.covers.items) return [];
  return [{ rule: 9, ignored, text: `it says ${checkpoint.covers.items} items and covers ${covered.length}` }];
}

/** A cut never lies inside a batch (`contract.md` 8). */
function judgeCut(
  items: readonly ItemEvent[],
  { through, isTurnOpen }: { readonly through: number; readonly isTurnOpen: boolean },
): readonly Finding[] {
  const inside: Finding = { rule: 9, ignored: true, text: 'it ends inside a batch' };
  if (items[through + 1]?.type === 'tool.result') return [inside];
  return isTurnOpen && through === items.length - 1 && hasOpenCall(items) ? [inside] : [];
}

function hasOpenCall(items: readonly ItemEvent[]): boolean {
  const start = items.findLastIndex((item) => item.type !== 'tool.result');
  const message = items[start];
  if (message?.type !== 'message.assistant') return false;
  const answered = new Set(
    items.slice(start + 1).flatMap((item) => (item.type === 'tool.result' ? [item.callId] : [])),
  );
  return message.parts.some((part) => part.type === 'tool_call' && !answered.has(part.callId));
}

function judgeKeep({ covered, checkpoint, isDamaged }: Covered): readonly Finding[] {
  const byId = new Map(covered.map((item) => [item.id, item]));
  const findings: Finding[] = [];
  for (const id of checkpoint.keep) {
    const item = byId.get(id);
    if (!item) findings.push({ rule: 10, ignored: !isDamaged, text: `it keeps ${id}, which it does not cover` });
    else if (item.type !== 'message.user')
      findings.push({ rule: 10, ignored: true, text: `it keeps ${id}, no message` });
  }
  const first = covered.find((item) => item.type === 'message.user' && item.kind === 'person');
  if (first && checkpoint.imported !== true && !checkpoint.keep.includes(first.id)) {
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
