import type { FieldsOf, StoredEvent } from '@/server/contract/events/event';
import type { TrimAction } from '@/server/contract/events/view-events';
import type { Model } from '@/server/contract/shapes';
import { toFloorParts } from '@/server/core/budget/floor';
import { planContent, renderSummary, toKeptCut, type ViewContent } from './model-view-content';
import {
  isDropped,
  type RenderCache,
  type RenderContext,
  renderGroup,
  renderMessage,
  sumBytes,
} from './model-view-entries';
import type { ViewGroup } from './model-view-groups';
import { LeftOutTally } from './model-view-left-out';
import { placePlan } from './model-view-plan';
import type { ModelView, ViewEntry } from './model-view-shape';
import { measurePlanBlock } from './plan-block';
import type { SessionState } from './state-shape';

/** The kept prompt, or what would be composed where none is kept yet. */
export type ViewPrompt = Pick<FieldsOf<'prompt.kept'>, 'text' | 'tools' | 'sections' | 'bytes' | 'toolsBytes'>;

/** A conversation before its first turn, and a test that is about something else. */
export const NO_PROMPT: ViewPrompt = { text: '', tools: [], sections: [], bytes: 0, toolsBytes: 0 };

export interface ViewInput {
  readonly state: SessionState;
  readonly prompt: ViewPrompt | StoredEvent<'prompt.kept'>;
  /** The model the view is for; its own reasoning goes back to it, any other's is left out. Null: none goes. */
  readonly model: Model | null;
  /** `entry`: first call of a turn. `step`: between the steps of one (`contract.md` 9). */
  readonly moment: 'entry' | 'step';
  /** Trims to apply instead of those in force. */
  readonly actions?: ReadonlyMap<string, TrimAction>;
  /** Handed in by who projects again and again; the answer is the same without. */
  readonly cache?: RenderCache;
}

/**
 * The exact view a model reads, with the account of where each entry came from: a pure function of state and prompt
 * (spec, *projection*). Order: summary, keep, expanded, raw, plan block. Every call in it has its result or a stub.
 */
export function projectView(input: ViewInput): ModelView {
  const { state, prompt, moment } = input;
  const content = planContent(state);
  const context = toContext(input);
  const { entries: body, carryBytes } = renderContent(content, context);
  const floor = {
    promptBytes: prompt.bytes,
    toolsBytes: prompt.toolsBytes,
    planBytes: measurePlanBlock(state.plan),
    carryBytes,
  };
  const floorBytes = floor.promptBytes + floor.toolsBytes + floor.planBytes + floor.carryBytes;
  const conversationBytes = sumBytes(body) - carryBytes;
  const turnId = state.openTurn?.turnId ?? null;
  const turnFrom = turnId === null ? -1 : body.findIndex((entry) => entry.turnId === turnId);
  return {
    system: prompt.text,
    tools: prompt.tools,
    ...placePlan({ body, plan: state.plan, moment }),
    floor,
    floorParts: toFloorParts(floor, prompt.sections),
    floorBytes,
    conversationBytes,
    bytes: floorBytes + conversationBytes,
    turnFrom: turnFrom === -1 ? null : turnFrom,
  };
}

/** What rendering depends on besides the items; without a cache nothing is remembered. */
export function toContext({ state, model, actions, cache }: Omit<ViewInput, 'prompt' | 'moment'>): RenderContext {
  return { masks: state.masks, actions: actions ?? state.trimActions, model, cache: cache ?? new WeakMap() };
}

/** Bytes of the conversation as if no trim were in force: what is held against the trigger (C1). */
export function untrimmedConversationBytes(input: Omit<ViewInput, 'prompt' | 'moment' | 'actions'>): number {
  const { entries, carryBytes } = renderContent(planContent(input.state), toContext({ ...input, actions: new Map() }));
  return sumBytes(entries) - carryBytes;
}

function renderContent(content: ViewContent, context: RenderContext) {
  const { actions } = context;
  const leftOut = new LeftOutTally();
  const summaryAction = content.summary === null ? null : (actions.get(content.summary.checkpointId) ?? null);
  const summary = content.summary === null ? null : renderSummary(content.summary, summaryAction);
  const entries: ViewEntry[] = summary === null ? [] : [summary.entry];
  if (summary === null && content.summary !== null) leftOut.addSummary(content.summary.throughNumber, entries.length);
  for (const kept of content.keep) {
    if (actions.get(kept.item.id)?.do === 'drop')
      leftOut.addGroup({ kind: 'message', item: kept.item }, entries.length);
    else entries.push(...renderMessage(kept, { cut: toKeptCut(kept, actions), note: 'kept' }));
  }
  const addGroups = (groups: readonly ViewGroup[], note: string | null) => {
    for (const group of groups) {
      if (isDropped(group, actions)) leftOut.addGroup(group, entries.length);
      else entries.push(...renderGroup(group, context).map((entry) => (note === null ? entry : withNote(entry, note))));
    }
  };
  addGroups(content.expanded, 'expanded');
  addGroups(content.raw, null);
  return { entries: leftOut.insertInto(entries), carryBytes: summary?.carryBytes ?? 0 };
}

function withNote(entry: ViewEntry, note: string): ViewEntry {
  const accounts = entry.accounts.map((account) => ({
    ...account,
    note: account.note === null ? note : `${note}, ${account.note}`,
  }));
  return { ...entry, accounts };
}
