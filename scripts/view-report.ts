import { defaultSettings } from '@/server/contract/settings';
import { type Numbers, planNumbers } from '@/server/core/budget/numbers';
import {
  NO_PROMPT,
  projectView,
  untrimmedConversationBytes,
  type ViewPrompt,
} from '@/server/core/projection/model-view';
import type { ModelView } from '@/server/core/projection/model-view-shape';
import { foldSession } from '@/server/core/projection/session-state';
import type { LogState, SessionState } from '@/server/core/projection/state-shape';
import { type TrimFields, trim } from '@/server/core/trim/trim';

export interface ViewReportInput {
  readonly log: LogState;
  readonly session: string;
  readonly budgetBytes: number;
  /** Whole texts instead of the first 60 characters. */
  readonly full: boolean;
}

/** The view a model would get of a conversation within a budget, as lines of text. */
export function reportView({ log, session, budgetBytes, full }: ViewReportInput): readonly string[] {
  const state = foldSession(log, session);
  const prompt = state.keptPrompt ?? NO_PROMPT;
  const model = state.openTurn?.model ?? state.model;
  const whole = projectView({ state, prompt, model, moment: 'entry' });
  const numbers = numbersOf(whole, budgetBytes);
  const untrimmed = untrimmedConversationBytes({ state, model });
  const trimmed = trim({
    state,
    model,
    roomBytes: numbers.trimRoomBytes,
    lowMarkBytes: numbers.lowMarkBytes,
    firstMessageCapBytes: numbers.firstMessageCapBytes,
  });
  const view =
    trimmed === null ? whole : projectView({ state, prompt, model, moment: 'entry', actions: added(state, trimmed) });
  return [
    ...toHeading({ state, view, numbers, untrimmed, trimmed, prompt }),
    '',
    ...toTable(view, state, full),
    '',
    ...toTotals(view),
  ];
}

function numbersOf(view: ModelView, budgetBytes: number): Numbers {
  const { compaction, carry_over, tools } = defaultSettings;
  const settings = {
    preset: compaction.preset,
    triggerRatio: compaction.trigger_ratio,
    tailRatio: compaction.tail_ratio,
    lowMarkRatio: compaction.low_mark_ratio,
    carryBoundBytes: carry_over.bound_bytes,
    resultCapBytes: tools.result_cap_bytes,
  };
  return planNumbers({ budgetBytes, floor: view.floor, settings, thriftyTriggerBytes: null });
}

/** Trims in force and those of this trim: as they would be once it is appended. */
function added({ trimActions }: SessionState, { actions }: TrimFields): SessionState['trimActions'] {
  return new Map([
    ...trimActions,
    ...actions.map((action) => [action.item ?? action.checkpoint ?? '', action] as const),
  ]);
}

interface Heading {
  readonly state: SessionState;
  readonly view: ModelView;
  readonly numbers: Numbers;
  readonly untrimmed: number;
  readonly trimmed: TrimFields | null;
  readonly prompt: ViewPrompt;
}

function toHeading({ state, view, numbers, untrimmed, trimmed }: Heading): readonly string[] {
  const parts = view.floorParts.map(({ part, bytes }) => `${part} ${toBytes(bytes)}`).join(', ');
  const covered = state.checkpoint === null ? 'no summary' : `summary of ${state.checkpoint.event.covers.items} items`;
  const lines = [
    `items ${state.items.length} · ${covered} · trims in force ${state.trims.length} · masks ${state.masks.size}`,
    `budget ${toBytes(numbers.budgetBytes)} · floor ${toBytes(numbers.floorBytes)}${parts === '' ? '' : ` (${parts})`} · room ${toBytes(numbers.roomBytes)}`,
    `trigger ${toBytes(numbers.triggerBytes)} · low mark ${toBytes(numbers.lowMarkBytes)} · conversation ${toBytes(view.conversationBytes)}, ${toBytes(untrimmed)} with no trim`,
  ];
  if (numbers.floorTooLarge)
    lines.push('The floor alone is over 85 % of the budget: nothing is compacted; shorten one of its parts.');
  else if (untrimmed > numbers.triggerBytes)
    lines.push('Over the trigger: a turn would compact first. What follows is the view should that fail.');
  if (trimmed !== null)
    lines.push(`Trimmed to fit, ${toBytes(trimmed.before)} to ${toBytes(trimmed.after)}: ${toKinds(trimmed)}.`);
  return lines;
}

function toKinds({ kinds, actions }: TrimFields): string {
  const told = [
    ['results', kinds.results],
    ['round trips', kinds.trips],
    ['replies', kinds.replies],
    ['messages', kinds.messages],
  ] as const;
  const named = told.flatMap(([name, { count, bytes }]) => (count > 0 ? [`${count} ${name} (${toBytes(bytes)})`] : []));
  if (actions.some((action) => action.checkpoint !== undefined)) named.push('the summary');
  return named.join(', ');
}

function toTable(view: ModelView, { items }: SessionState, full: boolean): readonly string[] {
  const numbers = new Map(items.map((item) => [item.id, item.number]));
  const rows = view.entries.flatMap(({ message, accounts }, index) =>
    accounts.map((account) => {
      const at = account.itemIds.map((id) => numbers.get(id) ?? 0);
      const where = at.length === 0 ? '–' : at.length === 1 ? `${at[0]}` : `${Math.min(...at)}-${Math.max(...at)}`;
      const text = full ? account.text : toOneLine(account.text);
      const note = account.note === null ? '' : ` [${account.note}]`;
      return [`${index}`, message.role, account.kind, where, toBytes(account.bytes), `${text}${note}`];
    }),
  );
  return align([['#', 'role', 'kind', 'items', 'bytes', 'text'], ...rows]);
}

function toOneLine(text: string): string {
  return Array.from(text.replace(/[\p{Cc}\s]+/gu, ' '))
    .slice(0, 60)
    .join('');
}

function toTotals(view: ModelView): readonly string[] {
  const totals = new Map<string, { pieces: number; bytes: number }>();
  for (const { message, accounts } of view.entries) {
    for (const { kind, bytes } of accounts) {
      const name = kind === 'raw' ? `raw ${message.role}` : kind;
      const before = totals.get(name) ?? { pieces: 0, bytes: 0 };
      totals.set(name, { pieces: before.pieces + 1, bytes: before.bytes + bytes });
    }
  }
  const rows = [...totals].map(([kind, { pieces, bytes }]) => [kind, `${pieces}`, toBytes(bytes)]);
  return align([
    ['total', 'pieces', 'bytes'],
    ...rows,
    ['the request', `${view.entries.length} entries`, toBytes(view.bytes)],
  ]);
}

function align(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

function toBytes(bytes: number): string {
  return bytes.toLocaleString('en-US');
}
