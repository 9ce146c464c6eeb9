import type { FieldsOf } from '@/server/contract/events/event';
import type { Model, Range } from '@/server/contract/shapes';
import { type NumberSettings, type Numbers, planSummaryCap, weighKeep } from '@/server/core/budget/numbers';
import { respondedItems } from '@/server/core/projection/responded';
import type { Item, SessionState } from '@/server/core/projection/state-shape';
import { type CutChoice, chooseAutomaticCut, chooseManualCut, type Keep } from './cut';
import { type CompactionSource, countCovered, takeSource, toRange, uncoveredItems } from './source';
import { type DiskHashes, findStale, type StaleReadings } from './stale';

export type CompactionTrigger = FieldsOf<'compaction.started'>['trigger'];

export interface PlanRequest {
  readonly trigger: CompactionTrigger;
  /** Cut at the legal cut at or before this item; null: none asked for. An id off the path leaves nothing to do. */
  readonly upToItemId: string | null;
  /** The ordinary rule for a request too (`compaction.manual_keeps_tail`, or asked for). */
  readonly keepTail: boolean;
  readonly settings: NumberSettings;
  /** `compaction.min_source_bytes`. */
  readonly minSourceBytes: number;
  /** The receiving model. */
  readonly model: Model | null;
  readonly disk: DiskHashes;
  /** Planned anew with a shorter tail (C8); null on the first plan. */
  readonly tailLimitBytes: number | null;
}

/** Everything that is fixed before the request is made. Bytes are measures. */
export interface CompactionGo {
  readonly kind: 'go';
  readonly source: CompactionSource;
  readonly covers: Range;
  readonly throughNumber: number;
  readonly keep: Keep;
  readonly tail: readonly Item[];
  readonly tailBytes: number;
  readonly stale: StaleReadings;
  readonly summaryCapBytes: number;
  /** Keep as it weighs in the sums. */
  readonly keepBytes: number;
  readonly numbers: Numbers;
}

/**
 * `skip`: asked for, but too short to summarise; the prompt is still composed anew (C3). `nothing`: nothing that an
 * automatic compaction could cover; no line is written, the trim serves (case-A13). `no_room`: a summary could not
 * have 600 bytes. `floor_too_big`: B2, the parts are named by the caller.
 */
export type CompactionPlan = CompactionGo | { readonly kind: 'skip' | 'nothing' | 'no_room' | 'floor_too_big' };

/** Source, cut, keep and tail of a compaction (`contract.md` 8, 11.2), or why there is none. */
export function planCompaction(state: SessionState, numbers: Numbers, request: PlanRequest): CompactionPlan {
  if (numbers.floorTooLarge) return { kind: 'floor_too_big' };
  const choice = chooseCut(state, numbers, request);
  const items = uncoveredItems(state).filter((item) => item.number <= choice.through);
  if (items.length === 0) return tooShort(request);
  const stale = findStale(state, choice.through, request.disk);
  const source = takeSource(state, items, { model: request.model, stale });
  if (isTooShort(state, source, request)) return tooShort(request);
  const summaryCapBytes = planSummaryCap(numbers, choice.keep.bytes);
  if (summaryCapBytes === null) return { kind: 'no_room' };
  return {
    kind: 'go',
    source,
    covers: planCovers(state, choice.through),
    throughNumber: choice.through,
    keep: choice.keep,
    tail: choice.tail,
    tailBytes: choice.tailBytes,
    stale,
    summaryCapBytes,
    keepBytes: weighKeep(choice.keep.bytes, numbers),
    numbers,
  };
}

/** Of what is covered already the summary in force tells how much it is: no item of it is looked at again (perf-C1). */
function planCovers(state: SessionState, through: number): Range {
  const before = state.checkpoint?.event.covers;
  const covered = countCovered(state);
  if (!before || before.items !== covered || covered >= through) return toRange(state.items.slice(0, through));
  const added = toRange(state.items.slice(covered, through));
  return { from: before.from, through: added.through, items: through, bytes: before.bytes + added.bytes };
}

function chooseCut(state: SessionState, numbers: Numbers, request: PlanRequest): CutChoice {
  const { settings, model, tailLimitBytes } = request;
  const automatic = () => chooseAutomaticCut({ state, numbers, settings, model, tailLimitBytes });
  if (request.trigger !== 'manual') return automatic();
  const upTo = request.upToItemId;
  const upToNumber = upTo === null ? null : (state.items.find((item) => item.id === upTo)?.number ?? 0);
  const asked = chooseManualCut(state, numbers, upToNumber);
  if (!request.keepTail) return asked;
  const ordinary = automatic();
  return ordinary.through <= asked.through ? ordinary : asked;
}

/**
 * Fewer than two responded items, or too few bytes. In the middle of a long first turn nothing is responded yet though
 * the view overflows: there any two items will do.
 */
function isTooShort(state: SessionState, source: CompactionSource, request: PlanRequest): boolean {
  const responded = request.trigger === 'manual' ? respondedItems(state).at(-1)?.number : undefined;
  const counted = source.items.filter((item) => responded === undefined || item.number <= responded);
  return counted.length < 2 || source.bytes < request.minSourceBytes;
}

function tooShort(request: PlanRequest): CompactionPlan {
  return { kind: request.trigger === 'manual' ? 'skip' : 'nothing' };
}

/** Approvals that wait, for the boundary card; calls and plan are path state anyway (C14). */
export function findOpenApprovals(state: SessionState): readonly string[] {
  const open = new Set<string>();
  for (const event of state.path) {
    if ('unknown' in event) continue;
    if (event.type === 'approval.asked') open.add(event.callId);
    if (event.type === 'approval.decided' || event.type === 'tool.result') open.delete(event.callId);
    if (event.type === 'turn.ended') open.clear();
  }
  return [...open];
}
