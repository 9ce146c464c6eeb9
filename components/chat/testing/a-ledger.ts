import type { CompactionAttempt, CompactionEntry, CompactionGuards } from '@/server/contract/compactions';
import { idOf } from '../../sync/fold-stream-arbitraries';

const at = '2026-11-20T08:00:00.000Z';

/** A request that was accepted, unless told otherwise. */
export function anAttempt(changes: Partial<CompactionAttempt> = {}): CompactionAttempt {
  return {
    n: 1,
    at,
    stage: 'one_shot',
    segment: null,
    model: { provider: 'fake', model: 'haiku-x' },
    requestBytes: 212_000,
    ceiling: null,
    end: 'stop',
    rawEnd: 'stop',
    usage: { input: 62_000, output: 1_400, cachedRead: 58_000, cachedWrite: null, reasoning: null },
    cost: null,
    ms: 9_000,
    outcome: 'accepted',
    reason: null,
    detail: null,
    ...changes,
  };
}

/** A compaction that came to its summary, unless told otherwise. */
export function anEntry(n: number, changes: Partial<CompactionEntry> = {}): CompactionEntry {
  return {
    compactionId: idOf(n),
    seq: n,
    startedAt: at,
    endedAt: at,
    trigger: 'manual',
    turnId: null,
    by: 'owner',
    focus: null,
    outcome: 'committed',
    reason: null,
    method: 'one_shot',
    model: { provider: 'fake', model: 'haiku-x' },
    chain: [{ provider: 'fake', model: 'haiku-x' }],
    source: { from: idOf(1), through: idOf(48), items: 48, bytes: 212_000 },
    bytesBefore: 212_000,
    bytesAfter: 6_100,
    numbers: { budget: 400_000, floor: 10_000, room: 390_000, trigger: 331_500, commit: 198_900, view: 212_000 },
    usage: { input: 62_000, output: 1_400, cachedRead: 58_000, cachedWrite: null, reasoning: null },
    cost: null,
    ms: 9_000,
    attempts: [anAttempt()],
    segments: [],
    checkpointId: idOf(n + 1),
    carryOver: { kept: [], dropped: [] },
    preview: null,
    deferral: null,
    counters: { failuresInARow: 0, refills: 0 },
    ...changes,
  };
}

/** Nothing holds the next one back, unless told otherwise. */
export function someGuards(changes: Partial<CompactionGuards> = {}): CompactionGuards {
  return {
    state: 'ready',
    turnId: null,
    deferredBy: null,
    deferredCalls: 0,
    failuresInARow: 0,
    refills: 0,
    refillLimit: 3,
    overflowUsed: false,
    ...changes,
  };
}
