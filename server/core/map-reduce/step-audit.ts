import { refuseNotes } from '@/server/core/compaction/accept';
import { toSummaryReply } from '@/server/core/compaction/attempt';
import type { CompactionScene } from '@/server/core/compaction/step-job';
import type { NewEvent } from '@/server/core/log/new-event';
import { endOf, textOf } from '@/server/core/turn/collect-reply';
import { addUsage } from './add-usage';
import { parseVerdict } from './audit';
import { MOST_AUDIT_TRIES, MOST_CORRECTIONS } from './bounds';
import { groupNotes } from './levels';
import { type Notes, renderAudit, renderCorrection } from './requests';
import { fitsFinal, fitsInner, mapNotes, refuseCandidate } from './step-reduce';
import {
  append,
  askingFor,
  bookAttempt,
  failed,
  type Handled,
  type Replied,
  rejectText,
  reservedCeiling,
  send,
  tell,
  triesOf,
  withFreshPosition,
} from './step-send';
import type { Candidate, InFlight, MapReduceMachine } from './step-shape';

/** Findings that are kept of one audit, and how much of each: a line of a log, not a second summary. */
const MOST_FINDINGS = 50;
const LONGEST_FINDING = 500;

/** What is next for a summary that stands: a batch of its audit, a correction, or the end of the run (R9). */
export function sendAudit(machine: MapReduceMachine, finalText: string): Handled {
  const inHand = machine.candidate;
  if (inHand !== null) return auditBatch(machine, inHand);
  const last = machine.staging.audits.at(-1);
  if (last === undefined) return auditBatch(machine, { text: finalText, round: 0, audited: 0, batch: 0, findings: [] });
  if (last.round >= MOST_CORRECTIONS) return failed(machine, 'audit_failed', { advance: false });
  return correct(machine, { text: last.candidate, round: last.round, audited: 0, batch: 0, findings: last.findings });
}

/** The next notes to hold it against, as many as fit beside it; null where not even one does. */
function nextBatch(machine: MapReduceMachine, { text, audited }: Candidate): readonly Notes[] | null {
  const left = mapNotes(machine).slice(audited);
  const groups = groupNotes(left, (group) => fitsInner(machine, renderAudit(text, group, false)));
  return groups?.[0] ?? null;
}

function auditBatch(machine: MapReduceMachine, candidate: Candidate): Handled {
  const batch = nextBatch(machine, candidate);
  if (batch === null) return failed(machine, 'audit_oversized', { advance: true });
  const underWay: Candidate = { ...candidate, batch: batch.length };
  const key = `audit ${candidate.round} ${candidate.audited}`;
  const isWhole = batch.length === machine.segments.length;
  const sent = send({ ...machine, candidate: underWay }, 'auditing', {
    stage: 'audit',
    key,
    segment: null,
    reduction: null,
    request: renderAudit(candidate.text, batch, isWhole),
    ceilingTokens: reservedCeiling(machine, key),
  });
  return { machine: sent.machine, commands: [tell(sent.machine, 'audit'), sent.command], exit: null, stay: true };
}

/** Every batch must pass; findings are joined. Anything but a verdict is a failed attempt, retried once. */
export function takeAudit(machine: MapReduceMachine, flight: InFlight, outcome: Replied): Handled {
  const { candidate } = machine;
  if (candidate === null) return { machine, commands: [], exit: null, stay: false };
  const end = endOf(outcome.reply);
  const refused = refuseNotes(toSummaryReply(outcome.reply, end));
  const judged = parseVerdict(textOf(outcome.reply));
  if (refused !== null || judged.verdict === 'unreadable')
    return rejectText(machine, { flight, outcome, reason: refused ?? 'audit_unreadable', most: MOST_AUDIT_TRIES });
  const attempt = bookAttempt(machine, flight, outcome, { outcome: 'accepted', reason: null, detail: null });
  const found = judged.verdict === 'fail' ? judged.findings.map((line) => line.slice(0, LONGEST_FINDING)) : [];
  const findings = [...candidate.findings, ...found].slice(0, MOST_FINDINGS);
  const counted = { ...withFreshPosition(machine), usage: addUsage(machine.usage, end.usage) };
  const audited = candidate.audited + candidate.batch;
  if (audited < machine.segments.length) {
    const noted = append({ ...counted, candidate: { ...candidate, findings, audited, batch: 0 } }, [attempt]);
    return { machine: noted.machine, commands: [noted.command], exit: null, stay: false };
  }
  const verdict = findings.length === 0 ? 'pass' : 'fail';
  const event: NewEvent = {
    type: 'staging.audit',
    compactionId: machine.job.compactionId,
    round: candidate.round,
    candidate: candidate.text,
    verdict,
    findings,
  };
  const noted = append({ ...counted, candidate: null }, [event, attempt]);
  const exit = verdict === 'pass' ? ({ kind: 'candidate', text: candidate.text } as const) : null;
  return { machine: noted.machine, commands: [noted.command], exit, stay: false };
}

/** The whole text anew: beside the findings the notes they cite, as many as fit. */
function correct(machine: MapReduceMachine, candidate: Candidate): Handled {
  const key = correctionKey(candidate);
  const { rejection } = triesOf(machine, key);
  const asking = askingFor(machine, { capBytes: machine.go.summaryCapBytes, rejection });
  const render = (notes: readonly Notes[]) => renderCorrection(candidate.text, candidate.findings, { notes, asking });
  if (!fitsFinal(machine, render([]))) return failed(machine, 'audit_oversized', { advance: true });
  const notes: Notes[] = [];
  for (const note of citedFirst(mapNotes(machine), candidate.findings))
    if (fitsFinal(machine, render([...notes, note]))) notes.push(note);
  const inOrder = notes.sort((a, b) => a.from - b.from);
  const sent = send(machine, 'correcting', {
    stage: 'correct',
    key,
    segment: null,
    reduction: null,
    request: render(inOrder),
    ceilingTokens: null,
  });
  return {
    machine: sent.machine,
    commands: [tell(sent.machine, 'correct'), sent.command],
    exit: null,
    stay: true,
  };
}

const correctionKey = ({ round }: Candidate) => `correct ${round}`;

/** Notes on items that a finding names come first; where none names any, all of them in order. */
function citedFirst(notes: readonly Notes[], findings: readonly string[]): readonly Notes[] {
  const cited = findings.flatMap((line) =>
    [...line.matchAll(/\bitems? (\d+)(?:-(\d+))?/g)].map(([, from, through]) => ({
      from: Number(from),
      through: Number(through ?? from),
    })),
  );
  const isCited = (note: Notes) => cited.some(({ from, through }) => from <= note.through && through >= note.from);
  return cited.length === 0 ? notes : notes.filter(isCited);
}

/** A corrected text passes the same table before it is audited again. */
export function takeCorrection(
  machine: MapReduceMachine,
  { flight, outcome, scene }: { readonly flight: InFlight; readonly outcome: Replied; readonly scene: CompactionScene },
): Handled {
  const last = machine.staging.audits.at(-1);
  if (last === undefined) return { machine, commands: [], exit: null, stay: false };
  const reason = refuseCandidate(machine, scene, outcome);
  if (reason !== null) return rejectText(machine, { flight, outcome, reason, most: machine.job.contentTries });
  const attempt = bookAttempt(machine, flight, outcome, { outcome: 'accepted', reason: null, detail: null });
  const usage = addUsage(machine.usage, endOf(outcome.reply).usage);
  const text = textOf(outcome.reply).trim();
  const candidate: Candidate = { text, round: last.round + 1, audited: 0, batch: 0, findings: [] };
  const noted = append({ ...withFreshPosition(machine), usage, candidate }, [attempt]);
  return { machine: noted.machine, commands: [noted.command], exit: null, stay: false };
}
