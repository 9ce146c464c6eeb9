import type { CompactionEntry, CompactionsAnswer } from '@/server/contract/compactions';
import type { StoredEvent } from '@/server/contract/events/event';
import type { Usage } from '@/server/contract/shapes';
import { type SortedCompactions, segmentsOf, sortCompactions } from '@/server/core/map-reduce/progress';
import { eventSteps, pathOfTypes, runSteps } from '@/server/core/projection/lines-of-type';
import { foldUndone } from '@/server/core/projection/session-state-checkpoint';
import type { LogState, SessionState } from '@/server/core/projection/state-shape';
import { guardSteps, toDeferred, toGuards } from './ledger-guards';

type Started = StoredEvent<'compaction.started'>;
type Attempt = StoredEvent<'compaction.attempt'>;
type Ended = StoredEvent<'compaction.ended'>;

/**
 * The ledger of a session: every compaction, refused ones and their attempts too, oldest first (X3); behind each failure
 * the attempts that were not made because of it, and what holds automatic compaction back now (C10). All of it is read
 * from the lines of the log, so it is the same after a restart.
 */
export function toLedger(
  session: SessionState,
  log: LogState,
  { isAuto = true }: { readonly isAuto?: boolean } = {},
): CompactionsAnswer {
  return runSteps(ledgerSteps(session, log, { isAuto }));
}

/** As `toLedger`, with stops: a ledger of many compactions keeps nobody else waiting while its lines are read. */
export function* ledgerSteps(
  session: SessionState,
  log: LogState,
  { isAuto }: { readonly isAuto: boolean },
): Generator<void, CompactionsAnswer> {
  const commits = yield* commitsOf(session, log);
  const reverts = yield* revertsOf(session, log);
  const guards = yield* guardSteps(session, log);
  const events = yield* eventSteps(log, session.branch, ENTRY_TYPES);
  const lines = sortCompactions(events);
  const compactions = events.flatMap((event) => {
    if (event.type !== 'compaction.started') return [];
    const counters = guards.counters.get(event.compactionId) ?? { failuresInARow: 0, refills: 0 };
    const commit = commits.get(event.compactionId) ?? null;
    const entry = toEntry(lines, event, { commit, counters, reverted: reverts.get(commit?.id ?? '') ?? null });
    const deferral = guards.deferrals.get(event.compactionId);
    return deferral === undefined ? [entry] : [entry, toDeferred(entry, deferral)];
  });
  return { compactions, guards: toGuards(guards, { session, isAuto }) };
}

/** What a row of the ledger is told by; the text of other lines of a compaction is not read for it. */
const ENTRY_TYPES = [
  'compaction.started',
  'compaction.attempt',
  'compaction.previewed',
  'compaction.ended',
  'staging.planned',
  'staging.map',
] as const;

interface Facts extends Pick<CompactionEntry, 'counters'> {
  readonly commit: StoredEvent<'checkpoint.committed'> | null;
  readonly reverted: { readonly at: string } | null;
}

/** By compaction; those on paths no longer in force too, since they were paid for. */
function* commitsOf(
  { branch }: SessionState,
  log: LogState,
): Generator<void, ReadonlyMap<string, StoredEvent<'checkpoint.committed'>>> {
  const commits = yield* eventSteps(log, branch, ['checkpoint.committed']);
  return new Map(commits.map((event) => [event.compactionId, event] as const));
}

/** By checkpoint, when it was taken back: on the path by its undo, else by a rollback to before it that still holds. */
function* revertsOf(
  session: SessionState,
  log: LogState,
): Generator<void, ReadonlyMap<string, { readonly at: string }>> {
  const lines = pathOfTypes(log, session, ['checkpoint.committed', 'checkpoint.reverted']);
  const here = new Set(lines.map(({ id }) => id));
  const all = yield* eventSteps(log, session.branch, ['head.restored']);
  const restored = all.filter(({ undoes }) => !here.has(undoes));
  const reverts = new Map<string, { readonly at: string }>(restored.map(({ undoes, at }) => [undoes, { at }] as const));
  for (const [id, { at }] of foldUndone(lines)) reverts.set(id, { at });
  return reverts;
}

function toEntry(lines: SortedCompactions, started: Started, { commit, counters, reverted }: Facts): CompactionEntry {
  const own = lines.own.get(started.compactionId) ?? [];
  const attempts = own.filter((event) => event.type === 'compaction.attempt');
  const ended = own.find((event) => event.type === 'compaction.ended') ?? null;
  const preview = own.findLast((event) => event.type === 'compaction.previewed') ?? null;
  return {
    compactionId: started.compactionId,
    seq: started.seq,
    startedAt: started.at,
    endedAt: ended?.at ?? null,
    trigger: started.trigger,
    turnId: started.turnId,
    by: started.by,
    focus: started.focus,
    outcome: ended?.outcome ?? (preview === null ? 'running' : 'previewed'),
    reason: ended?.reason ?? null,
    method: commit?.method ?? null,
    model: commit?.model ?? attempts.at(-1)?.model ?? null,
    chain: [...started.chain],
    source: started.source,
    ...bytesOf(started, ended),
    numbers: started.numbers,
    usage: sumUsages(attempts),
    cost: sumKnown(attempts.map((attempt) => attempt.cost)),
    ms: ended === null ? 0 : Math.max(0, Date.parse(ended.at) - Date.parse(started.at)),
    attempts: attempts.map(toAttempt),
    segments: [...segmentsOf(lines, started.compactionId)],
    checkpointId: commit?.id ?? null,
    reverted,
    carryOver: commit === null ? null : { kept: [...commit.carry.kept], dropped: [...commit.carry.dropped] },
    preview: ended === null ? (preview?.text ?? null) : null,
    deferral: null,
    counters,
  };
}

const bytesOf = (started: Started, ended: Ended | null) => ({
  bytesBefore: ended?.before ?? started.numbers.view,
  bytesAfter: ended?.after ?? null,
});

function toAttempt(attempt: Attempt): CompactionEntry['attempts'][number] {
  const { n, at, stage, segment, model, requestBytes, ceiling, end, rawEnd } = attempt;
  const { usage, cost, ms, outcome, reason, detail } = attempt;
  return { n, at, stage, segment, model, requestBytes, ceiling, end, rawEnd, usage, cost, ms, outcome, reason, detail };
}

/** Null where no attempt reported anything; a number nobody reported is not guessed. */
function sumUsages(attempts: readonly Attempt[]): Usage | null {
  const usages = attempts.flatMap(({ usage }) => usage ?? []);
  if (usages.length === 0) return null;
  return {
    input: sumKnown(usages.map((usage) => usage.input)),
    output: sumKnown(usages.map((usage) => usage.output)),
    cachedRead: sumKnown(usages.map((usage) => usage.cachedRead)),
    cachedWrite: sumKnown(usages.map((usage) => usage.cachedWrite)),
    reasoning: sumKnown(usages.map((usage) => usage.reasoning)),
  };
}

function sumKnown(counts: readonly (number | null)[]): number | null {
  const known = counts.filter((count) => count !== null);
  return known.length === 0 ? null : known.reduce((sum, count) => sum + count, 0);
}
