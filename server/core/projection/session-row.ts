import type { SessionStatus, SessionSummary } from '@/server/contract/session';
import type { Model, Usage } from '@/server/contract/shapes';
import { EMPTY_LEDGER } from './branch-ledger';
import { isUserItem } from './model-view-groups';
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
  const ledger = log.branches.get(state.branch)?.ledger ?? EMPTY_LEDGER;
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
    summaries: state.summaries,
    queued: state.queue.length,
    createdAt: opened.at,
    updatedAt: ledger.newest?.at ?? opened.at,
    headSeq: ledger.newest?.seq ?? Math.max(1, opened.seq),
    headMovedSeq: ledger.headMovedSeq,
    lastTurn: ledger.lastTurn,
    parent: opened.parent ? { sessionId: opened.parent.branch, itemId: opened.parent.itemId } : null,
    practice: facts.practice,
    imported: opened.kind === 'import' || opened.origin !== null,
    deletedAt: state.deleted ? ledger.deletedAt : null,
  };
}

/** A compaction shows before a turn that waits; one whose preview waits for a person runs no more (`contract.md` 11). */
export function statusOf(state: SessionState): SessionStatus {
  const compactionId = state.openCompaction?.compactionId;
  if (compactionId !== undefined && !isPreviewed(state, compactionId)) return 'compacting';
  if (state.parked) return 'waiting_approval';
  return state.openTurn ? 'running' : 'idle';
}

/** Looked for from the end: what stands before the start of the compaction is about others. */
function isPreviewed({ compactions }: SessionState, compactionId: string): boolean {
  const newest = compactions.findLast(
    (event) => event.type === 'compaction.started' || event.type === 'compaction.previewed',
  );
  return newest?.type === 'compaction.previewed' && newest.compactionId === compactionId;
}

/**
 * The title of a session that nobody named: the first line that says something of its first message, cut at 60
 * characters; the name of its attachment where there is no text; empty before the first message.
 */
export function deriveTitle(state: SessionState): string {
  const first = state.firstPerson?.event ?? state.queue[0] ?? state.items.find(isUserItem)?.event;
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

/**
 * What a session used: replies and attempts at compaction, whatever its head is, since all of it was paid for. A
 * number that nobody reported stays null and is not guessed.
 */
export function sumUsage({ branch }: SessionState, log: LogState): Usage {
  return (log.branches.get(branch)?.ledger ?? EMPTY_LEDGER).usage;
}
