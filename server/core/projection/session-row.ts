import type { StoredEvent } from '@/server/contract/events/event';
import type { SessionStatus, SessionSummary } from '@/server/contract/session';
import type { Model, Usage } from '@/server/contract/shapes';
import { isKnown, stateLinesOf } from './log-state-path';
import { foldUndone } from './session-state-checkpoint';
import type { LogState, SessionState } from './state-shape';
import { textOf } from './transcript-parts';

/** What a row says that no log knows. */
export interface RowFacts {
  readonly agentName: string | null;
  /** The model in use: the session's own, else its agent's. */
  readonly model: Model | null;
  readonly behind: boolean;
  readonly practice: boolean;
}

const titleCharacters = 60;

/** The row of a session in the list, also what `session.updated` says. Same log and facts, same row. */
export function projectSessionRow(state: SessionState, log: LogState, facts: RowFacts): SessionSummary {
  const lines = ownLines(state, log);
  const status = statusOf(state);
  const { opened } = state;
  return {
    id: state.branch,
    title: state.title ?? deriveTitle(state),
    titleBy: state.title === null ? 'derived' : 'person',
    agentId: opened.agentId,
    agentName: facts.agentName,
    model: facts.model,
    status,
    running: status === 'running' || status === 'compacting',
    pinned: state.pinned,
    archived: state.archived,
    behind: facts.behind,
    summaries: countSummaries(state, log),
    queued: state.queue.length,
    createdAt: opened.at,
    updatedAt: lines.at(-1)?.at ?? opened.at,
    headSeq: lines.at(-1)?.seq ?? Math.max(1, opened.seq),
    headMovedSeq: lines.findLast(({ type }) => type === 'head.reverted' || type === 'head.restored')?.seq ?? 0,
    lastTurn: lastTurnOf(lines),
    parent: opened.parent ? { sessionId: opened.parent.branch, itemId: opened.parent.itemId } : null,
    practice: facts.practice,
    imported: opened.kind === 'import' || opened.origin !== null,
    deletedAt: state.deleted ? (lines.findLast(({ type }) => type === 'session.deleted')?.at ?? null) : null,
  };
}

function ownLines(state: SessionState, log: LogState): readonly StoredEvent[] {
  const branch = log.branches.get(state.branch);
  return branch ? stateLinesOf(log, branch) : [];
}

/** A compaction shows before a turn that waits; one whose preview waits for a person runs no more (`contract.md` 11). */
export function statusOf(state: SessionState): SessionStatus {
  const compactionId = state.openCompaction?.compactionId;
  const isPreviewed = state.compactions.some(
    (event) => event.type === 'compaction.previewed' && event.compactionId === compactionId,
  );
  if (compactionId !== undefined && !isPreviewed) return 'compacting';
  if (state.parked) return 'waiting_approval';
  return state.openTurn ? 'running' : 'idle';
}

/**
 * The title of a session that nobody named: the first line that says something of its first message, cut at 60
 * characters; the name of its attachment where there is no text; empty before the first message.
 */
export function deriveTitle(state: SessionState): string {
  const messages = state.items.flatMap(({ event }) => (event.type === 'message.user' ? [event] : []));
  const first = messages.find(({ kind }) => kind === 'person') ?? state.queue[0] ?? messages[0];
  if (!first) return '';
  const line = textOf(first.parts)
    .split(/\r?\n/)
    .map((text) => text.trim())
    .find((text) => text !== '');
  const media = first.parts.find((part) => part.type === 'image' || part.type === 'file');
  return shorten(line ?? (media && 'name' in media && media.name !== '' ? media.name : 'Attachment'));
}

/** By code points, so that no character is cut in half. */
function shorten(text: string): string {
  const characters = Array.from(text);
  return characters.length <= titleCharacters
    ? text
    : `${characters
        .slice(0, titleCharacters - 1)
        .join('')
        .trimEnd()}…`;
}

/** Summaries on the path, undone ones not counted. */
function countSummaries(state: SessionState, log: LogState): number {
  const lines = state.path.filter(isKnown).filter((event) => !log.ignored.has(event.id));
  const committed = lines.filter((event) => event.type === 'checkpoint.committed');
  return committed.length - foldUndone(lines).size;
}

function lastTurnOf(lines: readonly StoredEvent[]): SessionSummary['lastTurn'] {
  const ended = lines.findLast((event) => event.type === 'turn.ended');
  return ended ? { outcome: ended.outcome, code: ended.code, at: ended.at } : null;
}

/**
 * What a session used: replies and attempts at compaction, whatever its head is, since all of it was paid for. A
 * number that nobody reported stays null and is not guessed.
 */
export function sumUsage(state: SessionState, log: LogState): Usage {
  const usages = ownLines(state, log).flatMap((event) =>
    event.type === 'message.assistant' || event.type === 'compaction.attempt' ? (event.usage ?? []) : [],
  );
  return {
    input: sumOf(usages.map(({ input }) => input)),
    output: sumOf(usages.map(({ output }) => output)),
    cachedRead: sumOf(usages.map(({ cachedRead }) => cachedRead)),
    cachedWrite: sumOf(usages.map(({ cachedWrite }) => cachedWrite)),
    reasoning: sumOf(usages.map(({ reasoning }) => reasoning)),
  };
}

function sumOf(counts: readonly (number | null)[]): number | null {
  const known = counts.flatMap((count) => count ?? []);
  return known.length === 0 ? null : known.reduce((sum, count) => sum + count, 0);
}
