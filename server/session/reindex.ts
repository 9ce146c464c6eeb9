import type { SessionSummary } from '@/server/contract/session';
import type { LogState, SessionState } from '@/server/core/projection/state-shape';
import type { ComposedPrompt } from '@/server/core/prompt/compose';
import type { EventBus } from '@/server/ports/event-bus';
import type { SearchIndex } from '@/server/ports/search-index';
import type { IndexedSession, SessionIndex } from '@/server/ports/session-index';
import type { SessionLog } from '@/server/ports/session-log';
import type { RunningPartStore } from '@/server/ports/stores';
import type { SessionWriter } from './append-events';
import { agentNow, composeNow, type PromptLibraries } from './prompt-sources';
import { recoverSession } from './recover';
import { toRecoveredParts } from './running-text';
import { addInParts } from './search-entries';
import type { SessionJobs } from './session-jobs';
import { type PromptFacts, promptFactsOf, summaryOf, toIndexed, withBehind } from './session-summary';

export interface ReindexDeps {
  readonly sessionLog: SessionLog;
  readonly index: SessionIndex;
  readonly search: SearchIndex;
  readonly writer: SessionWriter;
  readonly bus: EventBus;
  readonly summarise: (session: SessionState, log: LogState) => SessionSummary;
  readonly context: PromptLibraries;
  readonly report: (line: string) => void;
}

export interface RecoverDeps {
  readonly running: RunningPartStore;
  readonly jobs: SessionJobs;
}

/** Keeps what is derived true: the session list and who is behind (L1). */
export interface Reindex {
  /** Reads the logs whose size is not as noted or where something was under way, ends what runs no more in them, lists their sessions, wakes queues. */
  recover(deps: RecoverDeps): Promise<void>;
  /** Lists everything anew from the logs. Returns how many sessions there are. */
  rebuild(): Promise<number>;
  /** After a publish: rows and banners of conversations whose agent or skills moved (P3, P4). */
  refreshBehind(): void;
  noteSizes(): Promise<void>;
  /** Lists the sessions of a log that was made beside the writer, and tells whoever watches. */
  adopt(logId: string): Promise<void>;
}

/** What is derived, over the logs it is derived from. */
export function createReindex(deps: ReindexDeps): Reindex {
  const { sessionLog, index, search, writer } = deps;
  const searched = (): Promise<ReadonlyMap<string, number>> =>
    search.notedSizes().catch((error: unknown) => {
      deps.report(`full-text search is not there: ${error instanceof Error ? error.message : String(error)}`);
      return new Map();
    });
  const listLog = async (logId: string): Promise<readonly string[]> => {
    const { log, sessionOf } = await writer.loadBranches(logId);
    for (const branch of log.branches.keys()) {
      const session = sessionOf(branch);
      const summary = deps.summarise(session, log);
      index.put(toIndexed(session, summary, logId));
      // Nothing more is read before this is taken in, or a long conversation would pile up in memory.
      for (const _part of addInParts(search, { session, log, logId, title: summary.title })) await searched();
    }
    await searched();
    return [...log.branches.keys()];
  };
  const noteSizes = async () => {
    const sizes = await sessionLog.list();
    index.noteSizes(sizes);
    await search.noteSizes(sizes).catch(() => undefined);
  };
  return {
    noteSizes,
    adopt: async (logId) => {
      for (const sessionId of await listLog(logId)) {
        const indexed = index.get(sessionId);
        const data = indexed ? summaryOf(indexed) : null;
        if (data) deps.bus.publish({ event: { event: 'session.updated', data }, sessionId, seq: data.headSeq });
      }
    },
    recover: async ({ running, jobs }) => {
      const noted = index.notedSizes();
      const found = await searched();
      const unsettled = new Set(index.all().flatMap((session) => (isUnsettled(session) ? [session.logId] : [])));
      const isChanged = ({ logId, bytes }: { readonly logId: string; readonly bytes: number }) =>
        noted.get(logId) !== bytes || found.get(logId) !== bytes;
      const saved = running.list();
      const logs = await sessionLog.list();
      forgetMissing(deps, new Set(logs.map(({ logId }) => logId)));
      for (const { logId } of logs.filter((log) => isChanged(log) || unsettled.has(log.logId))) {
        await attempt(deps, logId, async () => {
          for (const sessionId of await listLog(logId)) {
            if (index.get(sessionId)?.deleted) continue;
            const own = saved.filter((part) => part.sessionId === sessionId);
            const [reply] = own.map(({ messageId, parts }) => ({ messageId, parts: toRecoveredParts(parts) }));
            await recoverSession(deps, { sessionId, saved: reply ?? null });
            for (const { messageId } of own) running.remove(messageId);
            jobs.wakeQueue((await writer.load(sessionId)).session);
          }
        });
      }
      await noteSizes();
    },
    rebuild: async () => {
      index.clear();
      search.clear();
      for (const { logId } of await sessionLog.list()) await attempt(deps, logId, () => listLog(logId));
      await noteSizes();
      return index.all().filter((session) => session.kind !== 'subagent' && !session.deleted).length;
    },
    refreshBehind: () => {
      const composed = new Map<string, ComposedPrompt | null>();
      for (const session of index.all()) refreshSession(deps, session, composed);
    },
  };
}

/**
 * What was derived from a log that is not there any more: a removal that was cut short, or a file that somebody took away.
 * Drafts are nobody's to guess at and stay.
 */
function forgetMissing({ index, search }: ReindexDeps, there: ReadonlySet<string>): void {
  const missing = index.all().filter(({ logId }) => !there.has(logId));
  index.forgetLogs([...new Set(missing.map(({ logId }) => logId))]);
  for (const { id, logId } of missing) {
    search.remove(id);
    search.forgetLog(logId);
  }
}

/** One log that cannot be read must not keep the others from opening (rel-S13). */
async function attempt({ report }: ReindexDeps, logId: string, work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    report(`log ${logId} could not be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/**
 * Something was under way or waited when the row was written. Its log is looked at even where its size is as noted: a
 * stop that took too long and a rebuilt list note sizes of logs in which something still runs.
 */
function isUnsettled(session: IndexedSession): boolean {
  const summary = summaryOf(session);
  return !session.deleted && (summary === null || summary.status !== 'idle' || summary.queued > 0);
}

function refreshSession(
  deps: ReindexDeps,
  session: IndexedSession,
  composed: Map<string, ComposedPrompt | null>,
): void {
  const kept = promptFactsOf(session);
  const summary = summaryOf(session);
  if (session.agentId === null || session.deleted || kept === null || summary === null) return;
  if (!composed.has(session.agentId)) {
    composed.set(session.agentId, composeNow(deps.context, agentNow(deps.context, session.agentId)));
  }
  const behind = isBehind(kept, composed.get(session.agentId) ?? null);
  const updated = { ...summary, behind };
  if (behind !== summary.behind) deps.index.put(withBehind(session, updated));
  const { id: sessionId } = session;
  if (behind || summary.behind) {
    deps.bus.publish({
      event: { event: 'prompt.behind', data: { sessionId, current: !behind } },
      sessionId,
      seq: null,
    });
    deps.bus.publish({ event: { event: 'session.updated', data: updated }, sessionId, seq: null });
  }
}

/** By versions alone, without reading the log: a published version never changes (P2). Deleted agents leave nobody behind. */
function isBehind(kept: PromptFacts, wouldBe: ComposedPrompt | null): boolean {
  if (wouldBe === null) return false;
  const name = (skills: PromptFacts['skills']) => skills.map(({ id, version }) => `${id}@${version}`).join(' ');
  return kept.agentVersion !== wouldBe.agentVersion || name(kept.skills) !== name(wouldBe.skills);
}
