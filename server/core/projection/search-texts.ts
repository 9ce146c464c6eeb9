import type { ItemEvent, StoredEvent } from '@/server/contract/events/event';
import type { FoundKind } from '@/server/contract/search';
import { cutAtCap, cutText } from '@/server/core/budget/cut-text';
import { toJson } from '@/server/core/budget/json-bytes';
import { isKnown, stateLinesBack } from './log-state-path';
import { toItemText } from './model-view-text';
import type { BranchState, LogState } from './state-shape';

/** Of a longer item two thirds head and one third tail are found; the item itself stays whole. Bytes of UTF-8. */
const MOST_BYTES = 262_144;

/** A text of an item or summary, and what is shown for it. `point`: `seq` of the line that placed it. */
export interface FoundText {
  readonly itemId: string;
  readonly shownId: string | null;
  readonly point: number;
  readonly kind: FoundKind;
  /** When it was said. */
  readonly at: string;
  readonly text: string;
}

/** Where the lines of a branch are shown: in the branch itself, or under a call of the conversation it works for. */
export interface SearchHome {
  readonly sessionId: string;
  /** The item with the call; null for a branch that is a conversation itself. */
  readonly under: string | null;
}

/** A subagent is no row of the list: what it says is found in the conversation that called it. */
export function findSearchHome(log: LogState, branchId: string): SearchHome {
  let home: SearchHome = { sessionId: branchId, under: null };
  for (let opened = log.branches.get(branchId)?.opened; opened?.kind === 'subagent' && opened.parent; ) {
    // A parent is older than its child, so this ends on any input.
    const parent = log.branches.get(opened.parent.branch)?.opened;
    if (!parent || parent.seq >= opened.seq) break;
    home = { sessionId: parent.branch, under: opened.parent.itemId };
    opened = parent;
  }
  return home;
}

/**
 * The texts that these lines of one branch make findable: messages as they are placed, replies with their calls,
 * results raw whatever is masked or covered, and summaries. Reasoning is not among them, as it is not in `recall`.
 */
export function projectSearchTexts(
  log: LogState,
  lines: readonly StoredEvent[],
  under: string | null,
): readonly FoundText[] {
  return lines.flatMap((line) => {
    const event = log.ignored.has(line.id) ? null : findableAt(log, line);
    const text = event === null ? '' : toFindable(event);
    if (event === null || text === '') return [];
    const kind = under === null ? kindOf(event) : 'subagent';
    return [{ itemId: event.id, shownId: under ?? event.id, point: line.seq, kind, at: event.at, text: bound(text) }];
  });
}

/** Lines whose texts are told together: so many are in memory at once, however long the conversation. */
const LINES_AT_ONCE = 500;

/**
 * Everything that is found in a conversation: what it inherited at its fork, its own lines, abandoned ones too (X9),
 * and its subagents'. Adding the lines of each append as they come yields the same.
 */
export function projectAllSearchTexts(log: LogState, sessionId: string): readonly FoundText[] {
  return [...projectSearchParts(log, sessionId)].flat();
}

/** As `projectAllSearchTexts`, told in parts, so that a long conversation is never held whole (rel-S21). */
export function* projectSearchParts(log: LogState, sessionId: string): Generator<readonly FoundText[]> {
  for (const branch of log.branches.values()) {
    const home = findSearchHome(log, branch.id);
    if (home.sessionId !== sessionId) continue;
    if (home.under === null) yield projectSearchTexts(log, inheritedBy(log, branch), null);
    for (let from = 0; from < branch.lines.length; from += LINES_AT_ONCE) {
      const lines = branch.lines.slice(from, from + LINES_AT_ONCE).flatMap((seq) => log.bySeq.get(seq) ?? []);
      yield projectSearchTexts(log, lines.filter(isKnown), home.under);
    }
  }
}

/** The path that a fork began with, read forwards; lines of its own branch are not part of it. */
function inheritedBy(log: LogState, { id, opened }: BranchState): readonly StoredEvent[] {
  if (opened.kind !== 'fork') return [];
  return [...stateLinesBack(log, opened.seq)].filter(({ branch }) => branch !== id).reverse();
}

export type Findable = ItemEvent | StoredEvent<'checkpoint.committed'>;

/** Who speaks in it. */
export function kindOf({ type }: Findable): Exclude<FoundKind, 'subagent'> {
  switch (type) {
    case 'message.user':
      return 'user';
    case 'message.assistant':
      return 'assistant';
    case 'tool.result':
      return 'tool';
    case 'checkpoint.committed':
      return 'summary';
  }
}

/** What the line makes findable, if anything. A waiting message becomes one of the conversation with the turn that takes it. */
export function findableAt(log: LogState, line: StoredEvent): Findable | null {
  switch (line.type) {
    case 'message.user':
      return line.place === 'here' ? line : null;
    case 'message.assistant':
    case 'tool.result':
    case 'checkpoint.committed':
      return line;
    case 'turn.started': {
      const placed =
        log.placedBy.get(line.messageId ?? '') === line.seq ? log.byId.get(line.messageId ?? '') : undefined;
      return placed && isKnown(placed) && placed.type === 'message.user' ? placed : null;
    }
    default:
      return null;
  }
}

/** The words of it: what was said, names and arguments of calls, never reasoning. */
export function toFindable(event: Findable): string {
  if (event.type === 'checkpoint.committed') return event.text;
  const calls = event.parts.flatMap((part) => (part.type === 'tool_call' ? [`${part.name} ${toJson(part.args)}`] : []));
  return [toItemText(event, 0), ...calls].filter((text) => text !== '').join('\n');
}

function bound(text: string): string {
  const cut = cutAtCap(text, MOST_BYTES);
  const kept = cut === null ? null : cutText(text, cut);
  return kept === null ? text : `${kept.head}\n${kept.tail}`;
}
