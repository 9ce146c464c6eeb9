import type { TrimAction } from '@/server/contract/events/view-events';
import type { Model } from '@/server/contract/shapes';
import { measureMessage, measureResult } from '@/server/core/budget/measure';
import { toContext } from '@/server/core/projection/model-view';
import type { ViewContent } from '@/server/core/projection/model-view-content';
import { type KeptMessage, planContent, renderSummary, toKeptCut } from '@/server/core/projection/model-view-content';
import {
  isDropped,
  type RenderCache,
  type RenderContext,
  renderGroup,
  renderMessage,
  sumBytes,
} from '@/server/core/projection/model-view-entries';
import type { ItemOf, ViewGroup } from '@/server/core/projection/model-view-groups';
import { toAssistantMessage, toViewResult } from '@/server/core/projection/model-view-item';
import { LeftOutTally } from '@/server/core/projection/model-view-left-out';
import type { SessionState } from '@/server/core/projection/state-shape';

/** A piece that a trim decides about as one. `kept`: a message that a checkpoint keeps word for word. */
export interface TrimUnit {
  readonly group: ViewGroup;
  readonly kept: KeptMessage | null;
  /** What it measured before this trim. */
  readonly beforeBytes: number;
  bytes: number;
}

export interface TrimWorkInput {
  readonly state: SessionState;
  readonly model: Model | null;
  readonly cache?: RenderCache;
}

/**
 * The view while a trim works on it: actions in force and added, and what the conversation measures under them. Each
 * decision re-measures the piece it is about and nothing else, with the projection's own renderers, so the sum is
 * what the next projection will measure.
 */
export class TrimWork {
  readonly state: SessionState;
  readonly content: ViewContent;
  /** Keep first, then expanded and raw groups in path order: the order "oldest first" goes by. */
  readonly units: readonly TrimUnit[];
  readonly #inForce: ReadonlyMap<string, TrimAction>;
  readonly #actions: Map<string, TrimAction>;
  readonly #context: RenderContext;
  #leftOut = new LeftOutTally();
  #leftOutBytes = 0;
  #summaryBytes = 0;
  #unitBytes = 0;

  constructor({ state, model, cache }: TrimWorkInput) {
    this.state = state;
    this.content = planContent(state);
    this.#inForce = state.trimActions;
    this.#actions = new Map(state.trimActions);
    this.#context = toContext({ state, model, actions: this.#actions, ...(cache ? { cache } : {}) });
    const { keep, expanded, raw } = this.content;
    this.units = [
      ...keep.map((kept) => this.#toUnit({ kind: 'message', item: kept.item }, kept)),
      ...[...expanded, ...raw].map((group) => this.#toUnit(group, null)),
    ];
    this.#unitBytes = this.units.reduce((sum, unit) => sum + unit.bytes, 0);
    this.#measureSummary();
    this.#countLeftOut();
  }

  /** Bytes of the conversation under the actions so far. */
  get bytes(): number {
    return this.#unitBytes + this.#summaryBytes + this.leftOutBytes;
  }

  get leftOutBytes(): number {
    return this.#leftOutBytes;
  }

  get summaryBytes(): number {
    return this.#summaryBytes;
  }

  actionOf(key: string): TrimAction | null {
    return this.#actions.get(key) ?? null;
  }

  isLeftOut(unit: TrimUnit): boolean {
    return isDropped(unit.group, this.#actions);
  }

  /** What a message, or an orphan, would measure under an action. */
  measureWith(unit: TrimUnit, action: TrimAction): number {
    const key = toKey(action);
    const before = this.#actions.get(key);
    this.#actions.set(key, action);
    const bytes = this.#measure(unit);
    restore(this.#actions, key, before);
    return bytes;
  }

  /** What one result measures, as it stands or under an action. */
  measureResult(item: ItemOf<'tool.result'>, action = this.actionOf(item.id)): number {
    const mask = this.state.masks.get(item.id) ?? null;
    return measureResult(toViewResult(item.event, item, { mask, action }).result);
  }

  /** What an assistant message alone measures, as it stands or under an action. */
  measureReply(item: ItemOf<'message.assistant'>, action = this.actionOf(item.id)): number {
    const rendered = toAssistantMessage(item.event, item, { action, model: this.#context.model });
    return rendered === null ? 0 : measureMessage(rendered.message);
  }

  /** Takes an action on a unit; a drop forgets what this trim did to its results before. */
  act(unit: TrimUnit, action: TrimAction): void {
    if (action.do === 'drop') for (const id of resultIds(unit.group)) restore(this.#actions, id, this.#inForce.get(id));
    this.#actions.set(toKey(action), action);
    this.#remeasure(unit);
    if (action.do !== 'drop') return;
    this.#leftOut.addGroup(unit.group, 0);
    this.#leftOutBytes = this.#leftOut.toBytes();
  }

  /** Takes back what this trim did to a unit. */
  undo(unit: TrimUnit): void {
    const wasLeftOut = this.isLeftOut(unit);
    for (const id of [unit.group.item.id, ...resultIds(unit.group)]) restore(this.#actions, id, this.#inForce.get(id));
    this.#remeasure(unit);
    if (wasLeftOut) this.#countLeftOut();
  }

  actOnSummary(action: TrimAction): void {
    this.#actions.set(toKey(action), action);
    this.#measureSummary();
    if (action.do === 'drop') this.#countLeftOut();
  }

  measureSummaryWith(action: TrimAction): number {
    return this.#summaryBytesUnder(action);
  }

  /** Only what this trim adds, in path order, the summary's first. */
  addedActions(): readonly TrimAction[] {
    const keys = this.units.flatMap(({ group }) => [group.item.id, ...resultIds(group)]);
    const all = [...(this.content.summary ? [this.content.summary.checkpointId] : []), ...keys];
    return all.flatMap((key) => {
      const action = this.#actions.get(key);
      return action === undefined || action === this.#inForce.get(key) ? [] : [action];
    });
  }

  #toUnit(group: ViewGroup, kept: KeptMessage | null): TrimUnit {
    const unit = { group, kept, bytes: 0, beforeBytes: 0 };
    const bytes = this.#measure(unit);
    return { ...unit, bytes, beforeBytes: bytes };
  }

  #measure({ group, kept }: TrimUnit): number {
    if (isDropped(group, this.#actions)) return 0;
    if (kept === null) return sumBytes(renderGroup(group, this.#context));
    return sumBytes(renderMessage(kept, { cut: toKeptCut(kept, this.#actions), note: null }));
  }

  #remeasure(unit: TrimUnit): void {
    const bytes = this.#measure(unit);
    this.#unitBytes += bytes - unit.bytes;
    unit.bytes = bytes;
  }

  #measureSummary(): void {
    const { summary } = this.content;
    if (summary !== null) this.#summaryBytes = this.#summaryBytesUnder(this.actionOf(summary.checkpointId));
  }

  #summaryBytesUnder(action: TrimAction | null): number {
    const { summary } = this.content;
    const rendered = summary === null ? null : renderSummary(summary, action);
    return rendered === null ? 0 : rendered.entry.bytes - rendered.carryBytes;
  }

  #countLeftOut(): void {
    const tally = new LeftOutTally();
    const { summary } = this.content;
    if (summary !== null && renderSummary(summary, this.actionOf(summary.checkpointId)) === null) {
      tally.addSummary(summary.throughNumber, 0);
    }
    for (const unit of this.units) if (this.isLeftOut(unit)) tally.addGroup(unit.group, 0);
    this.#leftOut = tally;
    this.#leftOutBytes = tally.toBytes();
  }
}

function toKey(action: TrimAction): string {
  return action.item ?? action.checkpoint ?? '';
}

function restore(actions: Map<string, TrimAction>, key: string, before: TrimAction | undefined): void {
  if (before === undefined) actions.delete(key);
  else actions.set(key, before);
}

/** Ids of the results of a reply; none for any other group. */
export function resultIds(group: ViewGroup): readonly string[] {
  if (group.kind !== 'reply') return [];
  return group.calls.flatMap(({ result }) => (result === null ? [] : [result.id]));
}
