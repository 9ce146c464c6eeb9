import type { SessionSummary } from '@/server/contract/session';
import { formatRelative } from '../ui/format-time';

export type SessionMark = 'replying' | 'compacting' | 'waiting' | 'new' | 'failed' | 'behind';

/** The word of each mark: visually hidden at the row, and its tooltip. The shape never stands alone. */
export const markWords: Readonly<Record<SessionMark, string>> = {
  replying: 'replying',
  compacting: 'compacting',
  waiting: 'waiting for you',
  new: 'new reply',
  failed: 'failed',
  behind: 'behind its agent',
};

export type MarkContext = {
  /** The conversation on the screen now. */
  readonly current: boolean;
  /** When this device last showed it, ISO; null when it never did. */
  readonly seenAt: string | null;
};

/** The one mark of a row. What runs now goes before what ended, and what ended before what has moved on. */
export function markOfSession(session: SessionSummary, { current, seenAt }: MarkContext): SessionMark | null {
  if (session.status === 'compacting') return 'compacting';
  if (session.status === 'waiting_approval') return 'waiting';
  if (session.status === 'running') return 'replying';
  const last = session.lastTurn;
  if (last?.outcome === 'failed' || last?.outcome === 'interrupted') return 'failed';
  if (last?.outcome === 'finished' && !current && seenAt !== null && last.at > seenAt) return 'new';
  return session.behind ? 'behind' : null;
}

/** The second line behind the agent's name: the state while there is one, else how long ago. */
export function stateLine(session: SessionSummary, mark: SessionMark | null, now: Date): string {
  const ago = formatRelative(new Date(session.updatedAt), now);
  if (mark === 'failed') return `failed, ${ago}`;
  return mark === 'replying' || mark === 'compacting' || mark === 'waiting' ? markWords[mark] : ago;
}
