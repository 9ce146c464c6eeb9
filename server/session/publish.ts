import type { StoredEvent } from '@/server/contract/events/event';
import type { SessionSummary } from '@/server/contract/session';
import type { LogState, SessionState } from '@/server/core/projection/state-shape';
import { idsTouched, toStreamItems } from '@/server/core/projection/stream-events';
import { projectFrom } from '@/server/core/projection/transcript-window';
import type { EventBus, Published } from '@/server/ports/event-bus';
import type { SearchIndex } from '@/server/ports/search-index';
import type { SessionIndex } from '@/server/ports/session-index';
import type { Appended } from './append-events';
import { addToSearch } from './search-entries';
import { toIndexed } from './session-summary';

export interface PublishDeps {
  readonly bus: EventBus;
  readonly index: SessionIndex;
  readonly search: SearchIndex;
  readonly summarise: (session: SessionState, log: LogState) => SessionSummary;
  readonly requestOf: (compactionId: string) => string | null;
  readonly report: (line: string) => void;
}

/**
 * After every durable append: the list's row first, then whoever watches (perf-F2). Never throws: the lines are on disk,
 * and what is only derived from them must not make anybody believe that they are not (L1).
 */
export function createPublisher(deps: PublishDeps): (appended: Appended) => void {
  return (appended) => {
    for (const branch of new Set(appended.events.map((event) => event.branch))) {
      if (appended.after.branches.has(branch)) attempt(deps, () => tellBranch(deps, appended, branch));
    }
  };
}

/** A branch that is new with these lines has nobody watching: its past (an import's own compactions) is not news. */
function tellBranch(deps: PublishDeps, appended: Appended, branch: string): void {
  const { logId, before, after, events } = appended;
  const session = appended.sessionOf(branch);
  const summary = deps.summarise(session, after);
  attempt(deps, () => deps.index.put(toIndexed(session, summary, logId)));
  attempt(deps, () => addToSearch(deps.search, { session, log: after, logId, title: summary.title }, appended));
  const own = before.branches.has(branch) ? events.filter((event) => event.branch === branch) : [];
  for (const item of streamItems(deps, { log: after, session, events: own })) deps.bus.publish(item);
  deps.bus.publish({ event: { event: 'session.updated', data: summary }, sessionId: branch, seq: summary.headSeq });
}

function attempt({ report }: Pick<PublishDeps, 'report'>, work: () => void): void {
  try {
    work();
  } catch (error) {
    report(`what is derived from a log fell behind: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** What is told of these lines, now or later to a client that resumes; of each line the last message is marked as last. */
export function streamItems(
  deps: Pick<PublishDeps, 'requestOf'>,
  input: { readonly log: LogState; readonly session: SessionState; readonly events: readonly StoredEvent[] },
): readonly Published[] {
  const transcript = projectFrom(input.session, input.log, idsTouched(input.events, input.session));
  const sessionId = input.session.branch;
  const items = toStreamItems({ ...input, transcript, requestOf: deps.requestOf });
  return items.map((item, at) => ({ ...item, sessionId, moreOfLine: items[at + 1]?.seq === item.seq }));
}
