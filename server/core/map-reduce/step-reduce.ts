import { utf8Bytes } from '@/server/core/budget/json-bytes';
import { acceptSummary, refuseNotes } from '@/server/core/compaction/accept';
import { toSummaryReply } from '@/server/core/compaction/attempt';
import { planInstallation, toBounds } from '@/server/core/compaction/install';
import type { SummaryRequest } from '@/server/core/compaction/render';
import type { CompactionScene } from '@/server/core/compaction/step-job';
import type { NewEvent } from '@/server/core/log/new-event';
import { endOf, textOf } from '@/server/core/turn/collect-reply';
import { addUsage } from './add-usage';
import { fitsOwnOutput, MOST_REREADS, notesCapBytes, reservedLimitBytes } from './bounds';
import { findReduction, type NextReduction, type ReductionFits, type WantedReduction } from './levels';
import { type Asking, type Notes, renderFinal, renderInner, renderReread } from './requests';
import { parseReread, type RereadRange } from './reread';
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
  windowOf,
  withFreshPosition,
} from './step-send';
import type { InFlight, MapReduceMachine } from './step-shape';

/** Notes of all segments in order: what reductions begin with, and what audits judge by. */
export function mapNotes({ segments, staging }: MapReduceMachine): readonly Notes[] {
  return segments.flatMap(({ fingerprint, pieces }) => {
    const made = staging.maps.get(fingerprint);
    if (made === undefined) return [];
    return [{ fingerprint, text: made.text, from: pieces[0]?.from ?? 1, through: pieces.at(-1)?.through ?? 1 }];
  });
}

/** The next reduction of this machine, requests measured against its window as it is known now. */
export function nextReduction(machine: MapReduceMachine): NextReduction {
  const fits: ReductionFits = {
    final: (notes) => fitsFinal(machine, renderFinal(notes, finalAsking(machine, null), [])),
    inner: (notes) => fitsInner(machine, renderInner(notes, innerAsking(machine, notes, null), [])),
  };
  return findReduction(mapNotes(machine), machine.staging.reductions, fits);
}

function finalAsking(machine: MapReduceMachine, rejection: string | null): Asking {
  return askingFor(machine, { capBytes: machine.go.summaryCapBytes, rejection });
}

/** At most half of what they stand for, so that levels get smaller. */
function innerAsking(machine: MapReduceMachine, notes: readonly Notes[], rejection: string | null): Asking {
  const bytes = notes.reduce((sum, { text }) => sum + utf8Bytes(text), 0);
  const capBytes = Math.max(1, Math.min(notesCapBytes(windowOf(machine)), Math.floor(bytes / 2)));
  return askingFor(machine, { capBytes, rejection });
}

/** With the model's own output configuration (R11). */
export function fitsFinal(machine: MapReduceMachine, { measureBytes }: SummaryRequest): boolean {
  const fits = fitsOwnOutput(measureBytes, machine.facts, windowOf(machine));
  return fits && measureBytes <= (machine.limitBytes ?? measureBytes);
}

/** With the reserve of R11. */
export function fitsInner(machine: MapReduceMachine, { measureBytes }: SummaryRequest): boolean {
  return measureBytes <= Math.min(reservedLimitBytes(windowOf(machine)), machine.limitBytes ?? measureBytes);
}

/** Asks for a reduction, or, after a reread, for the same one with the items beside it. */
export function sendReduction(machine: MapReduceMachine, wanted: WantedReduction): Handled {
  const request = renderWanted(machine, wanted, machine.reread?.key === wanted.key ? machine.reread.blocks : []);
  const isAgain = machine.reread?.key === wanted.key;
  const isFinal = wanted.kind === 'final';
  const sent = send(machine, isAgain ? 'rereading' : 'reducing', {
    stage: 'reduce',
    key: wanted.key,
    segment: null,
    reduction: wanted,
    request,
    ceilingTokens: isFinal ? null : reservedCeiling(machine, wanted.key),
  });
  return {
    machine: sent.machine,
    commands: [tell(sent.machine, 'reduce'), sent.command],
    exit: null,
    stay: true,
  };
}

function renderWanted(machine: MapReduceMachine, { kind, key, notes }: WantedReduction, blocks: readonly string[]) {
  const { rejection } = triesOf(machine, key);
  return kind === 'final'
    ? renderFinal(notes, finalAsking(machine, rejection), blocks)
    : renderInner(notes, innerAsking(machine, notes, rejection), blocks);
}

/** A reducer's answer: a wish for raw items, or the text. Broken requests were dealt with before. */
export function takeReduction(
  machine: MapReduceMachine,
  { flight, outcome, scene }: { readonly flight: InFlight; readonly outcome: Replied; readonly scene: CompactionScene },
): Handled {
  const wanted = flight.reduction;
  const end = endOf(outcome.reply);
  const reply = toSummaryReply(outcome.reply, end);
  const most = machine.job.contentTries;
  if (wanted === null) return { machine, commands: [], exit: null, stay: false };
  const reason = refuseNotes(reply);
  if (reason !== null) return rejectText(machine, { flight, outcome, reason, most });
  const reread = parseReread(reply.text, machine.go.throughNumber);
  if (reread.kind === 'ranges') return startReread(machine, { wanted, flight, outcome, scene }, reread.ranges);
  if (reread.kind !== 'none') return endRun(machine, { flight, outcome, reason: reread.kind });
  if (wanted.kind === 'final') {
    const refused = refuseCandidate(machine, scene, outcome);
    if (refused !== null) return rejectText(machine, { flight, outcome, reason: refused, most });
  }
  const reduced: NewEvent = {
    type: 'staging.reduce',
    compactionId: machine.job.compactionId,
    level: wanted.level,
    group: wanted.group,
    inputs: wanted.notes.map(({ fingerprint }) => fingerprint),
    fingerprint: wanted.key,
    text: textOf(outcome.reply).trim(),
    rereads: machine.reread?.key === wanted.key ? [...machine.reread.ranges] : [],
  };
  const attempt = bookAttempt(machine, flight, outcome, { outcome: 'accepted', reason: null, detail: null });
  const usage = addUsage(machine.usage, end.usage);
  const noted = append({ ...withFreshPosition(machine), usage, reread: null }, [reduced, attempt]);
  return { machine: noted.machine, commands: [noted.command], exit: null, stay: false };
}

/** The table of `contract.md` 11 before an audit is paid for; what it says about the tail and the source comes after. */
export function refuseCandidate(machine: MapReduceMachine, scene: CompactionScene, { reply }: Replied): string | null {
  const bounds = toBounds(scene.state, machine.go, planInstallation(scene.state, machine.go));
  const accepted = acceptSummary(toSummaryReply(reply, endOf(reply)), bounds);
  if (accepted.ok || accepted.reason === 'over_commit' || accepted.reason === 'source_changed') return null;
  return accepted.reason;
}

interface Rereading {
  readonly wanted: WantedReduction;
  readonly flight: InFlight;
  readonly outcome: Replied;
  readonly scene: CompactionScene;
}

/** One reread a reduction (R8): whole items or none; what does not fit beside the notes ends the run, nothing is cut. */
function startReread(
  machine: MapReduceMachine,
  { wanted, flight, outcome, scene }: Rereading,
  ranges: readonly RereadRange[],
): Handled {
  const made = machine.reread?.key === wanted.key ? 1 : 0;
  if (made >= MOST_REREADS) return endRun(machine, { flight, outcome, reason: 'reread_unavailable' });
  const blocks = renderReread(scene.state, ranges, machine.go.stale);
  const request = renderWanted(machine, wanted, blocks);
  const fits = wanted.kind === 'final' ? fitsFinal(machine, request) : fitsInner(machine, request);
  if (!fits) return endRun(machine, { flight, outcome, reason: 'reread_oversized' });
  const attempt = bookAttempt(machine, flight, outcome, { outcome: 'accepted', reason: 'reread', detail: null });
  const usage = addUsage(machine.usage, endOf(outcome.reply).usage);
  const noted = append({ ...withFreshPosition(machine), usage, reread: { key: wanted.key, ranges, blocks } }, [
    attempt,
  ]);
  return { machine: noted.machine, commands: [noted.command], exit: null, stay: false };
}

/** A reread that cannot be answered fails the run explicitly, whatever models are left. */
function endRun(
  machine: MapReduceMachine,
  { flight, outcome, reason }: { readonly flight: InFlight; readonly outcome: Replied; readonly reason: string },
): Handled {
  const event = bookAttempt(machine, flight, outcome, { outcome: 'rejected', reason, detail: null });
  const noted = append(machine, [event]);
  return failed(noted.machine, reason, { advance: false, commands: [noted.command, { do: 'reset' }] });
}
