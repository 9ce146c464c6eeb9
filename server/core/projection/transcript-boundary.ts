import type { SkillChange } from '@/server/contract/boundary';
import type { StoredEvent } from '@/server/contract/events/event';
import type { SummaryMessage, TrimMessage } from '@/server/contract/message';
import { countItems } from './count-items';
import { isKnown } from './log-state-path';
import { foldUndone } from './session-state-checkpoint';
import type { LogState, SessionState } from './state-shape';

type Committed = StoredEvent<'checkpoint.committed'>;
type Kept = StoredEvent<'prompt.kept'>;

export interface BoundaryInput {
  readonly log: LogState;
  readonly state: SessionState;
  /** Lines of the path that count. */
  readonly lines: readonly StoredEvent[];
}

/** A summary as the boundary it is, undone ones too (C16); `at` and `seq` are those of its own line. */
export function toSummaryMessage({ log, state, lines }: BoundaryInput, event: Committed): SummaryMessage {
  const covered = { items: state.items, end: endOf(state, event) };
  const reverted = foldUndone(lines).get(event.id);
  const { compactionId, covers, bytes, model, usage, method, promptRecomposed, sourceBytes } = event;
  return {
    id: event.id,
    seq: event.seq,
    at: event.at,
    role: 'summary',
    parts: [{ type: 'text', text: event.text }],
    metadata: {
      summary_through: covers.through,
      ...{ covers, bytes, model, usage, method, promptRecomposed, compactionId, sourceBytes },
      carryOver: { kept: [...event.carry.kept], dropped: event.carry.dropped.map((drop) => withText(log, drop)) },
      stale: event.stale.map(({ path }) => path),
      checks: [...event.checks],
      counts: countKinds(covered, event),
      returns: countReturns(log, event),
      span: spanOf(covered, event),
      edited: event.edited,
      imported: event.imported === true,
      simulated: model?.provider === 'practice',
      inForce: state.checkpoint?.event.id === event.id,
      ...expandedOf(state, event),
      reverted: reverted === undefined ? null : { at: reverted.at, by: reverted.by },
      ...changesOf(lines, event),
      ...storyOf(log, event),
    },
  };
}

function expandedOf({ checkpoint }: SessionState, event: Committed): Pick<SummaryMessage['metadata'], 'expanded'> {
  if (checkpoint?.event.id !== event.id || checkpoint.expanded.length === 0) return {};
  return { expanded: checkpoint.expanded.map(({ from, through }) => ({ from, through })) };
}

function withText<D extends { readonly id: string }>(log: LogState, dropped: D): D & { text: string | null } {
  const marked = log.byId.get(dropped.id);
  return { ...dropped, text: marked && isKnown(marked) && marked.type === 'carry.marked' ? marked.text : null };
}

interface Covered {
  readonly items: SessionState['items'];
  readonly end: number;
}

/** How many items a summary covers: as it says, where the item it ends with stands there, else as they stand now. */
function endOf({ items }: SessionState, { covers }: Committed): number {
  if (items.at(covers.items - 1)?.id === covers.through) return covers.items;
  return items.findIndex(({ id }) => id === covers.through) + 1;
}

function countKinds({ items, end }: Covered, event: Committed): SummaryMessage['metadata']['counts'] {
  const { user, assistant, tool } = countItems(items, end);
  return { user, assistant, tool, summaries: event.previous === null ? 0 : 1 };
}

/** What the summary before it covers stays covered when this one is taken back. */
export function countReturns(log: LogState, { covers, previous }: Committed): number {
  const before = previous === null ? undefined : log.byId.get(previous);
  if (!before || !isKnown(before) || before.type !== 'checkpoint.committed') return covers.items;
  return Math.max(0, covers.items - before.covers.items);
}

function spanOf({ items, end }: Covered, event: Committed): SummaryMessage['metadata']['span'] {
  if (end === 0) return { from: event.at, through: event.at };
  return { from: items.at(0)?.event.at ?? event.at, through: items.at(end - 1)?.event.at ?? event.at };
}

/** How it was made: from the ledger lines of its compaction, on whichever branch that ran. */
function storyOf(
  log: LogState,
  event: Committed,
): Pick<SummaryMessage['metadata'], 'trigger' | 'focus' | 'cost' | 'ms' | 'attempts'> {
  const ledger = ledgerOf(log, event);
  const started = ledger.find((line) => line.type === 'compaction.started');
  const attempts = ledger.filter((line) => line.type === 'compaction.attempt');
  const costs = attempts.flatMap(({ cost }) => (cost === null ? [] : [cost]));
  return {
    trigger: started?.trigger ?? null,
    focus: started?.focus ?? null,
    cost: costs.length === 0 ? null : costs.reduce((sum, cost) => sum + cost, 0),
    ms: started ? Math.max(0, Date.parse(event.at) - Date.parse(started.at)) : null,
    attempts: attempts.length,
  };
}

/** Walks back from the commit to the start of its compaction, on the branch that ran it. */
function ledgerOf(
  log: LogState,
  event: Committed,
): readonly StoredEvent<'compaction.started' | 'compaction.attempt'>[] {
  const lines = log.branches.get(event.branch)?.lines ?? [];
  const found: StoredEvent<'compaction.started' | 'compaction.attempt'>[] = [];
  for (let place = placeOfSeq(lines, event.seq); place >= 0; place -= 1) {
    const line = log.bySeq.get(lines[place] ?? 0);
    if (!line || !isKnown(line)) continue;
    if (line.type !== 'compaction.started' && line.type !== 'compaction.attempt') continue;
    if (line.compactionId !== event.compactionId) continue;
    found.push(line);
    if (line.type === 'compaction.started') break;
  }
  return found;
}

/** Found from both sides: `seq`s only grow. */
function placeOfSeq(lines: readonly number[], seq: number): number {
  let low = 0;
  let high = lines.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((lines.at(middle) ?? 0) < seq) low = middle + 1;
    else high = middle;
  }
  return lines.at(low) === seq ? low : -1;
}

/** What the recomposed prompt has in another version than the prompt before it. */
function changesOf(
  lines: readonly StoredEvent[],
  event: Committed,
): Pick<SummaryMessage['metadata'], 'skills' | 'agentVersion'> {
  const prompts = lines.filter((line) => line.type === 'prompt.kept' && line.seq < event.seq);
  const [before, now] = prompts.slice(-2);
  if (!event.promptRecomposed || before?.type !== 'prompt.kept' || now?.type !== 'prompt.kept') return {};
  return { skills: skillChanges(before, now), agentVersion: { from: before.agentVersion, to: now.agentVersion } };
}

function skillChanges(before: Kept, now: Kept): SkillChange[] {
  const old = new Map(before.skills.map((skill) => [skill.id, skill]));
  const changed = now.skills.flatMap(({ id, name, version }): SkillChange[] => {
    const from = old.get(id)?.version ?? null;
    if (from === version) return [];
    return [{ id, name, change: from === null ? 'added' : 'newer', from, to: version }];
  });
  const names = new Set(now.skills.map(({ id }) => id));
  const removed = before.skills.filter(({ id }) => !names.has(id));
  return [
    ...changed,
    ...removed.map(({ id, name, version }): SkillChange => ({ id, name, change: 'removed', from: version, to: null })),
  ];
}

/** A trim as the line it left; it stays where it happened when it is lifted later. */
export function toTrimMessage({ lines }: BoundaryInput, event: StoredEvent<'view.trimmed'>): TrimMessage {
  const lifted = lines.find((line) => line.type === 'view.untrimmed' && line.trimId === event.id);
  const { kinds, before, after, room } = event;
  return {
    id: event.id,
    seq: event.seq,
    at: event.at,
    role: 'trim',
    parts: [],
    metadata: {
      ...{ kinds, before, after, room },
      items: [...new Set(event.actions.flatMap(({ item }) => (item === undefined ? [] : [item])))],
      lifted: lifted?.type === 'view.untrimmed' ? { at: lifted.at, why: lifted.why } : null,
    },
  };
}
