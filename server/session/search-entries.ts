import { findSearchHome, projectSearchParts, projectSearchTexts } from '@/server/core/projection/search-texts';
import type { LogState, SessionState } from '@/server/core/projection/state-shape';
import type { SearchIndex } from '@/server/ports/search-index';
import type { Appended } from './append-events';

interface Conversation {
  readonly session: SessionState;
  readonly log: LogState;
  readonly logId: string;
  readonly title: string;
}

/** Makes found what an append brought to a conversation; of a deleted one nothing is found until it is restored. */
export function addToSearch(search: SearchIndex, told: Conversation, { before, events }: Appended): void {
  const { session, log, logId, title } = told;
  const { branch } = session;
  const own = events.filter((event) => event.branch === branch);
  const isWhole = !before.branches.has(branch) || own.some(({ type }) => type === 'session.restored');
  const home = findSearchHome(log, branch);
  if (session.deleted || (isWhole && home.under === null)) {
    addAllToSearch(search, told);
    return;
  }
  const texts = projectSearchTexts(log, own, home.under);
  // A subagent's lines are found in the conversation that called it, whose title is its own.
  const isItself = home.sessionId === branch;
  search.add({ sessionId: home.sessionId, logId, title: isItself ? title : null, texts });
}

/** The same of everything in a conversation; what was there already stays. A subagent's branch is part of its caller's. */
function addAllToSearch(search: SearchIndex, told: Conversation): void {
  for (const _part of addInParts(search, told));
}

/** As `addAllToSearch`, with a stop after each part: who waits there for the index holds no long conversation whole (rel-S21). */
export function* addInParts(search: SearchIndex, { session, log, logId, title }: Conversation): Generator<void> {
  const { branch } = session;
  if (session.deleted) {
    search.remove(branch);
    return;
  }
  if (session.opened.kind === 'subagent') return;
  search.add({ sessionId: branch, logId, title, texts: [] });
  for (const texts of projectSearchParts(log, branch)) {
    search.add({ sessionId: branch, logId, title, texts });
    yield;
  }
}
