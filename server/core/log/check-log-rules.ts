import type { LogEvent, StoredEvent } from '@/server/contract/events/event';
import { belongsTo, isKnown, stateLinesBack } from '@/server/core/projection/log-state-path';
import type { BranchState, LogState } from '@/server/core/projection/state-shape';
import { judgeCheckpoint } from './check-log-checkpoint';
import type { Candidate, Finding, RuleNumber } from './check-log-finding';

const breach = (rule: RuleNumber, text: string): Finding => ({ rule, ignored: true, text });
const report = (rule: RuleNumber, text: string): Finding => ({ rule, ignored: false, text });

/**
 * What section 5 says against an event, judged by the log before it. Rules 1 and 2 and damaged references belong
 * to the file and are judged where lines are read.
 */
export function judgeEvent(candidate: Candidate): readonly Finding[] {
  const { event } = candidate;
  switch (event.type) {
    case 'turn.started':
      return [...judgeTurnStart(candidate, event), ...judgePlacement(candidate, event)];
    case 'compaction.started':
      return candidate.branch.openCompaction ? [report(4, 'a compaction was still open')] : [];
    case 'turn.ended':
      return judgeTurnEnd(candidate, event);
    case 'tool.result':
      return judgeResult(candidate, event);
    case 'view.masked':
      return judgeMask(candidate, event);
    case 'plan.set':
      return judgePlan(candidate, event);
    case 'checkpoint.committed':
      return [...judgeUndoTo(candidate, event), ...judgeCheckpoint(candidate, event)];
    case 'branch.opened':
      return judgeSubagent(candidate, event);
    case 'approval.decided':
      return judgeDecision(candidate, event);
    case 'staging.planned':
    case 'staging.mode':
    case 'staging.map':
    case 'staging.reduce':
    case 'staging.audit':
    case 'staging.invalidated':
      return judgeStaging(candidate, event);
    default:
      return [];
  }
}

/** Rule 4: only reported; the older turn counts as ended. A resumed approval is the same turn. */
function judgeTurnStart({ branch }: Candidate, event: StoredEvent<'turn.started'>): readonly Finding[] {
  if (!branch.openTurn) return [];
  const resumes = event.why === 'approval' && event.turnId === branch.openTurn.turnId;
  return resumes ? [] : [report(4, 'a turn was still open')];
}

/** Rule 5: only reported, since the message may be the line that is lost; nothing is placed again. */
function judgePlacement({ branch }: Candidate, event: StoredEvent<'turn.started'>): readonly Finding[] {
  if (event.messageId === null || event.why === 'approval' || branch.queue.includes(event.messageId)) return [];
  return [report(5, 'its message is already placed, withdrawn, of another branch or not in the log')];
}

type Assistant = StoredEvent<'message.assistant'>;

function callIdsOf(message: Assistant): readonly string[] {
  return message.parts.flatMap((part) => (part.type === 'tool_call' ? [part.callId] : []));
}

/** Rule 6. A batch ends where its turn ends or a message of a person stands. */
function judgeResult({ log, link }: Candidate, event: StoredEvent<'tool.result'>): readonly Finding[] {
  for (const line of stateLinesBack(log, link)) {
    if (line.type === 'tool.result' && line.callId === event.callId)
      return [breach(6, 'the call has a result already')];
    if (line.type === 'message.assistant') {
      return callIdsOf(line).includes(event.callId) ? [] : [breach(6, 'the newest assistant message has no such call')];
    }
    if (line.type === 'message.user' || line.type === 'turn.ended') break;
    if (line.type === 'turn.started' && line.why !== 'approval') break;
  }
  return [breach(6, 'its turn has no assistant message')];
}

/** Rule 7: only reported; the projection answers open calls by itself. */
function judgeTurnEnd({ log, link }: Candidate, event: StoredEvent<'turn.ended'>): readonly Finding[] {
  const answered = new Set<string>();
  for (const line of stateLinesBack(log, link)) {
    if (line.type === 'tool.result') answered.add(line.callId);
    if (line.type === 'message.assistant') {
      const open = callIdsOf(line).filter((callId) => !answered.delete(callId));
      if (open.length > 0) return [report(7, `open calls: ${open.join(', ')}`)];
    }
    if (line.type === 'turn.ended') break;
    if (line.type === 'turn.started' && line.turnId === event.turnId && line.why !== 'approval') break;
  }
  return [];
}

/** Rule 8: the newest batch before the message whose call masks. */
function judgeMask({ log, link }: Candidate, event: StoredEvent<'view.masked'>): readonly Finding[] {
  let isBeforeCall = false;
  let isInBatch = false;
  for (const line of stateLinesBack(log, link)) {
    if (line.type === 'message.assistant' && isInBatch) break;
    if (line.type === 'message.assistant' && callIdsOf(line).includes(event.byCall)) isBeforeCall = true;
    else if (line.type === 'tool.result' && isBeforeCall) {
      isInBatch = true;
      if (line.id === event.item)
        return line.callId === event.callId ? [] : [breach(8, 'the item answers another call')];
    }
  }
  return [breach(8, 'the item is no result of the newest batch before the call')];
}

/** Rule 11. Without `after` it is the older format: used at the head only (L5). */
function judgePlan({ log, link }: Candidate, event: StoredEvent<'plan.set'>): readonly Finding[] {
  if (event.after === undefined) return [];
  return newestItemId(log, link) === event.after ? [] : [breach(11, '`after` is not the newest item at this line')];
}

/** The id of the newest item on the path that ends at `head`; null before the first. */
export function newestItemId(log: LogState, head: number | null): string | null {
  for (const line of stateLinesBack(log, head)) {
    if (line.type === 'message.assistant' || line.type === 'tool.result' || line.type === 'message.user')
      return line.id;
    if (line.type === 'turn.started' && line.messageId !== null && log.placedBy.get(line.messageId) === line.seq) {
      return line.messageId;
    }
  }
  return null;
}

/** Rule 3 for `undoTo`; a lost line there only means that the undo goes back to its stand-in. */
function judgeUndoTo({ log, branch }: Candidate, event: StoredEvent<'checkpoint.committed'>): readonly Finding[] {
  if (event.undoTo === null || belongsTo(log, branch, event.undoTo)) return [];
  if (event.undoTo < event.seq && !log.bySeq.has(event.undoTo)) return [report(3, '`undoTo` names a lost line')];
  return [breach(3, '`undoTo` is no earlier line of this path')];
}

/** Rule 3 for a subagent, which follows no line of its parent: only reported, it can be read all the same. */
function judgeSubagent({ log }: Candidate, event: StoredEvent<'branch.opened'>): readonly Finding[] {
  if (event.kind !== 'subagent' || !event.parent) return [];
  const parent = log.branches.get(event.parent.branch);
  return belongsTo(log, parent, event.parent.seq) ? [] : [report(3, '`parent.seq` is no line of the parent')];
}

type Staging = StoredEvent<
  'staging.planned' | 'staging.mode' | 'staging.map' | 'staging.reduce' | 'staging.audit' | 'staging.invalidated'
>;

/** Rule 12. Older formats are kept as they are: their text is never used anyway (R5). */
function judgeStaging({ branch }: Candidate, event: Staging): readonly Finding[] {
  const version = event.type === 'staging.planned' || event.type === 'staging.map' ? event.version : undefined;
  if (version !== undefined && version < 3) return [];
  const isOpen = branch.openCompaction?.compactionId === event.compactionId;
  return isOpen ? [] : [breach(12, 'its compaction is not open on this branch')];
}

/** Rule 14: the newest word on a call must be the question with the same arguments. */
function judgeDecision({ log, link }: Candidate, event: StoredEvent<'approval.decided'>): readonly Finding[] {
  for (const line of stateLinesBack(log, link)) {
    if (line.type === 'approval.decided' && line.callId === event.callId) return [breach(14, 'decided already')];
    if (line.type === 'approval.asked' && line.callId === event.callId) {
      return line.argsHash === event.argsHash ? [] : [breach(14, 'the question was about other arguments')];
    }
  }
  return [breach(14, 'nobody asked')];
}

/** Rule 3 for the reference by which an event joins its branch. `lost`: it names a damaged line. */
export function judgeReference(
  { log, branch, event }: { readonly log: LogState; readonly branch: BranchState; readonly event: LogEvent },
  target: number,
): 'fine' | 'lost' | 'wrong' {
  if (target >= event.seq) return 'wrong';
  if (!log.bySeq.has(target)) return 'lost';
  if (!isKnown(event) || event.type !== 'branch.opened') return belongsTo(log, branch, target) ? 'fine' : 'wrong';
  const parent = event.parent ? log.branches.get(event.parent.branch) : undefined;
  return belongsTo(log, parent, target) ? 'fine' : 'wrong';
}
