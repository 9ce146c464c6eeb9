import { cutText } from '@/server/core/budget/cut-text';
import { newestItemId } from '@/server/core/log/check-log-rules';
import type { NewEvent } from '@/server/core/log/new-event';
import { deriveTitle } from '@/server/core/projection/session-row';
import type { LogState, SessionState } from '@/server/core/projection/state-shape';
import { findPoint } from './find-point';
import { type Refused, refuse, refuseNewer } from './travel-plan';

/** The first line of the fork, and the line of its parent that it follows. */
export interface PlannedFork {
  readonly ok: true;
  readonly opened: NewEvent<'branch.opened'>;
  readonly head: number;
}

/** As many as a title may have that a person gives; no line holds one that is longer. */
const MOST_TITLE_BYTES = 1000;

/**
 * A new session at an item of another (L3, L4): one line in the same file that names the item's point, so it has what applied
 * there and nothing that comes later. Takes any item ever placed on the parent, abandoned ones too, also while the parent runs;
 * null: where the parent stands, with all that came after its last item (decision 037).
 * Owner, agent, model and settings are the parent's; title, pin, archive flag and queue are not.
 */
export function planFork(log: LogState, state: SessionState, itemId: string | null): PlannedFork | Refused {
  const head = itemId === null ? state.head : findPoint(log, state.branch, itemId);
  if (head === null || head === 0) {
    const waits = state.queue.some((message) => message.id === itemId);
    return waits
      ? refuse('conflict', 'This message still waits; there is nothing to branch from yet.')
      : refuse('not_found', 'There is no such message in this conversation.');
  }
  const newer = refuseNewer(log, head);
  if (newer) return newer;
  const { opened, model, settings } = state;
  return {
    ok: true,
    head,
    opened: {
      type: 'branch.opened',
      kind: 'fork',
      parent: { branch: state.branch, seq: head, itemId: newestItemId(log, head) },
      owner: opened.owner,
      agentId: opened.agentId,
      title: forkTitle(state),
      model,
      settings: settings === null ? null : { ...settings },
    },
  };
}

function forkTitle(state: SessionState): string {
  const of = state.title ?? deriveTitle(state);
  const title = `Fork of ${of === '' ? 'a conversation' : of}`;
  return cutText(title, { headBytes: MOST_TITLE_BYTES, tailBytes: 0 })?.head ?? title;
}

/** Forks that live on the lines of a branch, forks of forks too, deleted ones not: while there are any, its lines are used. */
export function findLiveForks(log: LogState, branchId: string): readonly string[] {
  const live = [...log.branches.values()].filter(({ id, deleted }) => id !== branchId && !deleted);
  return live.flatMap(({ id }) => (isUnder(log, id, branchId) ? [id] : []));
}

function isUnder(log: LogState, id: string, ancestor: string): boolean {
  const opened = log.branches.get(id)?.opened;
  if (opened?.kind !== 'fork' || !opened.parent) return false;
  const { branch, seq } = opened.parent;
  return branch === ancestor || (seq < opened.seq && isUnder(log, branch, ancestor));
}
