import { refuseNotes } from '@/server/core/compaction/accept';
import { isOverflow, isTransport, nameTransport, toSummaryReply } from '@/server/core/compaction/attempt';
import type { CompactionCommand, CompactionScene, LastFailure } from '@/server/core/compaction/step-job';
import type { NewEvent } from '@/server/core/log/new-event';
import { endOf, textOf } from '@/server/core/turn/collect-reply';
import { toDetail } from '@/server/core/turn/model-call';
import { addUsage } from './add-usage';
import { MOST_MAPS_AT_ONCE, MOST_REPARTITIONS, notesCapBytes, packingTargetBytes, reservedLimitBytes } from './bounds';
import { type Piece, toPieces } from './pieces';
import { renderInner, renderMap } from './requests';
import { planSegments, type Segment } from './segments';
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
  withFactsNow,
  withFreshPosition,
} from './step-send';
import type { InFlight, MapReduceMachine, MapTrouble } from './step-shape';

/** Longer than any reason of a rejection that a map is told, so that a second try fits where the first did. */
const LONGEST_REASON = `incomplete:${'x'.repeat(100)}`;

/**
 * The segments for the model in turn: accepted maps keep theirs, the rest is packed. Says what no longer agrees with the
 * source, or what this model's window could never reduce, by an appended line. Fails with the item that fits no request (R3).
 */
export function planRun(
  machine: MapReduceMachine,
  scene: CompactionScene,
  { round, targetBytes }: { readonly round: number; readonly targetBytes: number | null },
): Handled {
  const window = windowOf(machine);
  const asking = askingFor(machine, { capBytes: notesCapBytes(window), rejection: LONGEST_REASON });
  const mostBytes = reservedLimitBytes(window) - renderMap([], asking).measureBytes;
  const fresh = packingTargetBytes(window);
  const target = Math.max(1, Math.min(fresh, targetBytes ?? fresh, mostBytes));
  const pieces = toPieces(scene.state, machine.go, mostBytes);
  const unfit = findUnfit(machine);
  const usable = new Map([...machine.staging.maps].filter(([print]) => !unfit.includes(print)));
  const { segments, changed } = planSegments({ pieces, staging: { maps: usable }, targetBytes: target });
  const voided = [...toInvalidated(machine, 'source_changed', changed), ...toInvalidated(machine, 'unfit', unfit)];
  const planned: NewEvent = {
    type: 'staging.planned',
    compactionId: machine.job.compactionId,
    version: 3,
    model: machine.model,
    windowTokens: window.assumed ? null : window.tokens,
    targetBytes: target,
    round,
    mode: machine.staging.mode,
    segments: segments.map(toPlanned),
  };
  const candidate = voided.length > 0 ? null : machine.candidate;
  const noted = append({ ...machine, pieces, segments, candidate, failed: new Set() }, [...voided, planned]);
  const tooLarge = segments.find(({ fingerprint, bytes }) => bytes > mostBytes && !usable.has(fingerprint));
  const commands = [noted.command];
  if (tooLarge !== undefined) return failed(noted.machine, nameItem(tooLarge.pieces), { advance: true, commands });
  return { machine: noted.machine, commands, exit: null, stay: false };
}

const toPlanned = ({ n, pieces, fingerprint, bytes }: Segment) => {
  const items = pieces.map(({ id }) => id);
  return { n, from: items[0] ?? '', through: items.at(-1) ?? '', items, fingerprint, bytes };
};

/** Which item no request can take, by its number; a part of the previous summary by that. */
function nameItem(pieces: readonly Piece[]): string {
  const [largest] = [...pieces].sort((a, b) => b.bytes - a.bytes);
  if (largest === undefined) return 'item_too_large';
  return largest.from === largest.through ? `item_too_large:${largest.from}` : 'item_too_large:summary';
}

/** Notes that not even a reduction of them alone could read: made for a larger window than this. */
function findUnfit(machine: MapReduceMachine): readonly string[] {
  const window = windowOf(machine);
  const asking = askingFor(machine, { capBytes: notesCapBytes(window), rejection: LONGEST_REASON });
  const limit = reservedLimitBytes(window);
  return [...machine.staging.maps.values()].flatMap(({ fingerprint, text }) => {
    const alone = renderInner([{ fingerprint, text, from: 1, through: 1 }], asking, []);
    return alone.measureBytes > limit ? [fingerprint] : [];
  });
}

function toInvalidated(
  { job }: MapReduceMachine,
  reason: 'source_changed' | 'unfit',
  fingerprints: readonly string[],
): readonly NewEvent[] {
  if (fingerprints.length === 0) return [];
  const { compactionId } = job;
  return [{ type: 'staging.invalidated', compactionId, version: 3, reason, fingerprints: [...fingerprints] }];
}

/** Maps that are missing and not under way. */
export function missingMaps({ segments, staging, inFlight }: MapReduceMachine): readonly Segment[] {
  const running = new Set(inFlight.flatMap(({ segment }) => segment?.fingerprint ?? []));
  return segments.filter(({ fingerprint }) => !staging.maps.has(fingerprint) && !running.has(fingerprint));
}

/** As many maps as may run at once (R6): four, or one after a provider failure. */
export function scheduleMaps(machine: MapReduceMachine): Handled {
  const most = machine.staging.mode === 'parallel' ? MOST_MAPS_AT_ONCE : 1;
  const window = windowOf(machine);
  let next = machine;
  const calls: CompactionCommand[] = [];
  for (const segment of missingMaps(machine).slice(0, Math.max(0, most - machine.inFlight.length))) {
    const key = segment.fingerprint;
    const { rejection } = triesOf(next, key);
    const request = renderMap(segment.pieces, askingFor(next, { capBytes: notesCapBytes(window), rejection }));
    if (request.measureBytes > reservedLimitBytes(window))
      return failed(next, nameItem(segment.pieces), { advance: true });
    const sent = send(next, 'mapping', {
      stage: 'map',
      key,
      segment,
      reduction: null,
      request,
      ceilingTokens: reservedCeiling(next, key),
    });
    next = sent.machine;
    calls.push(sent.command);
  }
  return { machine: next, commands: [tell(next, 'map'), ...calls], exit: null, stay: true };
}

/** A map's answer; trouble stops new ones, and those under way are waited for (R6). */
export function takeMap(machine: MapReduceMachine, flight: InFlight, outcome: Replied): Handled {
  const end = endOf(outcome.reply);
  const { segment } = flight;
  if (segment === null) return { machine, commands: [], exit: null, stay: true };
  if (isTransport(end.trouble)) return stopScheduling(machine, flight, outcome);
  const reason = refuseNotes(toSummaryReply(outcome.reply, end));
  if (reason !== null) return refuseMap(machine, { flight, outcome, reason });
  const mapped: NewEvent = {
    type: 'staging.map',
    compactionId: machine.job.compactionId,
    fingerprint: segment.fingerprint,
    items: segment.pieces.map(({ id }) => id),
    text: textOf(outcome.reply).trim(),
    model: machine.model,
  };
  const attempt = bookAttempt(machine, flight, outcome, { outcome: 'accepted', reason: null, detail: null });
  const noted = append({ ...machine, usage: addUsage(machine.usage, end.usage) }, [mapped, attempt]);
  const next = machine.staging.mode === 'sequential' ? withFreshPosition(noted.machine) : noted.machine;
  return goOn(next, [noted.command]);
}

/** While something is wrong, whoever is under way is waited for; else the next one goes. */
function goOn(machine: MapReduceMachine, commands: readonly CompactionCommand[]): Handled {
  const isDraining = machine.troubles.length > 0 && machine.inFlight.length > 0;
  if (!isDraining) return { machine, commands, exit: null, stay: false };
  const draining: MapReduceMachine = { ...machine, phase: 'draining' };
  return { machine: draining, commands: [...commands, tell(draining, 'map')], exit: null, stay: true };
}

function refuseMap(
  machine: MapReduceMachine,
  { flight, outcome, reason }: { readonly flight: InFlight; readonly outcome: Replied; readonly reason: string },
): Handled {
  const rejected = rejectText(machine, { flight, outcome, reason, most: machine.job.contentTries });
  const marked = withFailed(rejected.machine, flight);
  if (rejected.exit?.kind !== 'failed') return goOn(marked, rejected.commands);
  const { failure } = rejected.exit;
  return goOn(withTrouble(marked, { kind: 'content', failure }), rejected.commands);
}

function stopScheduling(machine: MapReduceMachine, flight: InFlight, outcome: Replied): Handled {
  const { trouble } = endOf(outcome.reply);
  if (trouble === null || flight.segment === null) return { machine, commands: [], exit: null, stay: true };
  const reason = nameTransport(trouble);
  const detail = toDetail(trouble);
  const attempt = bookAttempt(machine, flight, outcome, { outcome: 'failed', reason, detail });
  const marked = withFailed(machine, flight);
  if (isOverflow(trouble)) {
    const noted = append(withTrouble(marked, { kind: 'overflow', segments: [flight.segment] }), [attempt]);
    return goOn(noted.machine, [noted.command, { do: 'reset' }]);
  }
  const failure: LastFailure = { outcome: 'failed', reason, detail };
  const fallsBack = machine.staging.mode === 'parallel';
  const { compactionId } = machine.job;
  const mode: NewEvent[] = fallsBack ? [{ type: 'staging.mode', compactionId, mode: 'sequential', reason }] : [];
  const noted = append(withTrouble(marked, { kind: 'transport', trouble, failure }), [attempt, ...mode]);
  return goOn(noted.machine, [noted.command, { do: 'reset' }]);
}

function withTrouble(machine: MapReduceMachine, trouble: MapTrouble): MapReduceMachine {
  return { ...machine, troubles: [...machine.troubles, trouble] };
}

function withFailed(machine: MapReduceMachine, { segment }: InFlight): MapReduceMachine {
  return segment === null ? machine : { ...machine, failed: new Set([...machine.failed, segment.fingerprint]) };
}

/**
 * Everything under way is done: an overflow packs what is missing into smaller segments (R7), a broken request is waited
 * for by the retry policy and goes on one at a time (R6), a refused text leaves the model.
 */
export function settleTroubles(machine: MapReduceMachine, scene: CompactionScene): Handled {
  const { troubles } = machine;
  const calm: MapReduceMachine = { ...machine, troubles: [] };
  const overflowed = troubles.flatMap((trouble) => (trouble.kind === 'overflow' ? trouble.segments : []));
  const packed: Handled =
    overflowed.length === 0
      ? { machine: calm, commands: [], exit: null, stay: false }
      : repartition(calm, scene, overflowed);
  const content = troubles.find((trouble) => trouble.kind === 'content');
  if (packed.exit !== null) return packed;
  if (content !== undefined) return { ...packed, exit: { kind: 'failed', failure: content.failure, advance: true } };
  const broken = troubles.find((trouble) => trouble.kind === 'transport');
  return broken === undefined ? packed : waitOrLeave(packed, broken);
}

function waitOrLeave(handled: Handled, { trouble, failure }: Extract<MapTrouble, { kind: 'transport' }>): Handled {
  const { machine, commands } = handled;
  const decided = machine.job.retry(machine.position, trouble);
  if (decided.command.do !== 'wait')
    return { machine, commands, exit: { kind: 'failed', failure, advance: true }, stay: false };
  const waiting: MapReduceMachine = { ...machine, phase: 'waiting', position: decided.state };
  return {
    machine: waiting,
    commands: [...commands, { do: 'wait', ms: decided.command.waitMs }],
    exit: null,
    stay: true,
  };
}

function repartition(machine: MapReduceMachine, scene: CompactionScene, overflowed: readonly Segment[]): Handled {
  const single = overflowed.find(({ pieces }) => pieces.length === 1);
  if (single !== undefined) return failed(machine, nameItem(single.pieces), { advance: true });
  const { round, targetBytes } = machine.staging;
  if (round >= MOST_REPARTITIONS) return failed(machine, 'repartitions_spent', { advance: true });
  const smallest = Math.min(...overflowed.map(({ bytes }) => bytes), targetBytes ?? Number.POSITIVE_INFINITY);
  return planRun(withFactsNow(machine), scene, {
    round: round + 1,
    targetBytes: Math.max(1, Math.floor(smallest / 2)),
  });
}
