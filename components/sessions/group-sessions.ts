import type { SessionSummary } from '@/server/contract/session';
import { formatMonth, startOfDay } from '../ui/format-time';

export type SessionGroup<Row extends SessionSummary = SessionSummary> = {
  readonly key: string;
  readonly title: string;
  readonly sessions: readonly Row[];
};

function groupOf(session: SessionSummary, now: Date): { readonly key: string; readonly title: string } {
  if (session.pinned) return { key: 'pinned', title: 'Pinned' };
  const at = new Date(session.updatedAt);
  // A clock that runs behind the server's must not make a group of its own.
  if (at >= startOfDay(now)) return { key: 'today', title: 'Today' };
  if (at >= startOfDay(now, 1)) return { key: 'yesterday', title: 'Yesterday' };
  if (at >= startOfDay(now, 7)) return { key: 'week', title: 'Previous 7 days' };
  return { key: `${at.getFullYear()}-${at.getMonth() + 1}`, title: formatMonth(at, now) };
}

/** Pinned, Today, Yesterday, Previous 7 days, then months; newest first in each. Days are those of the reader's calendar. */
export function groupSessions<Row extends SessionSummary>(
  sessions: readonly Row[],
  now: Date,
): readonly SessionGroup<Row>[] {
  const groups = new Map<string, { title: string; sessions: Row[] }>();
  const newestFirst = sessions.toSorted(
    (a, b) =>
      Number(b.pinned) - Number(a.pinned) || (a.updatedAt < b.updatedAt ? 1 : a.updatedAt > b.updatedAt ? -1 : 0),
  );
  for (const session of newestFirst) {
    const { key, title } = groupOf(session, now);
    const group = groups.get(key);
    if (group) group.sessions.push(session);
    else groups.set(key, { title, sessions: [session] });
  }
  return [...groups].map(([key, group]) => ({ key, ...group }));
}
