import type { EventDraft, StoredEvent } from '@/server/contract/events/event';
import { encodeLine } from '@/server/core/log/encode-line';
import { prepareDraft } from '@/server/core/log/encode-line-draft';
import type { Clock, Ids } from '@/server/ports/clock';
import type { Survey } from './log-survey';

export interface RepairContext {
  readonly logId: string;
  readonly ids: Ids;
  readonly clock: Clock;
  /** Ids the caller is about to write anyway. */
  readonly pending: ReadonlySet<string>;
}

/** Text that must stand before the next line, and what it adds to the file. */
export interface Repair {
  readonly text: string;
  /** `seq` of the first line of `text`, and the one after its last. */
  readonly firstSeq: number;
  readonly nextSeq: number;
  /** New `seq` of each event written again, by its id. */
  readonly rewritten: ReadonlyMap<string, number>;
}

/** Ranges one report holds at most, so that a ruined file does not make one endless line. */
const rangesPerReport = 1000;

/**
 * Plans what comes before the next line (L6, L8): the missing newline, the seal of a torn tail, damage not
 * reported yet, and lines that were written but never synced. Those are written again with the same ids,
 * because what is readable must be durable before anything builds on it.
 */
export function planRepair(survey: Survey, context: RepairContext): Repair {
  const firstSeq = Math.max(survey.lines, survey.newestSeq) + 1;
  let seq = firstSeq;
  let text = survey.tail === 'newline' ? '' : '\n';
  for (const draft of reportsOf(survey, context)) {
    const prepared = prepareDraft(draft);
    if (prepared.kind === 'refused') throw new TypeError(`a report the log refuses: ${prepared.why}`);
    text += prepared.draft.place({ seq, prev: null }).line;
    seq += 1;
  }
  const rewritten = new Map<string, number>();
  const moved = new Map<number, number>();
  for (const event of survey.unacknowledged) {
    if (context.pending.has(event.id) || rewritten.has(event.id)) continue;
    text += encodeLine(moveEvent(event, seq, moved));
    rewritten.set(event.id, seq);
    moved.set(event.seq, seq);
    seq += 1;
  }
  return { text, firstSeq, nextSeq: seq, rewritten };
}

function moveEvent(event: StoredEvent, seq: number, moved: ReadonlyMap<number, number>): StoredEvent {
  const { prev } = event;
  if (prev === undefined || prev === null) return { ...event, seq };
  return { ...event, seq, prev: moved.get(prev) ?? prev };
}

function reportsOf(survey: Survey, { logId, ids, clock }: RepairContext): EventDraft[] {
  const envelope = () => ({ id: ids.next(), branch: logId, at: new Date(clock.now()).toISOString() });
  const drafts: EventDraft[] = [];
  if (survey.torn !== null) {
    const { from, to } = survey.torn;
    drafts.push({ ...envelope(), type: 'log.sealed', from, to, kind: 'torn' });
  }
  for (let at = 0; at < survey.damage.length; at += rangesPerReport) {
    const ranges = survey.damage.slice(at, at + rangesPerReport);
    drafts.push({ ...envelope(), type: 'log.damage', ranges: ranges.map(({ from, to, why }) => ({ from, to, why })) });
  }
  return drafts;
}
