import { describe, expect, it } from 'vitest';
import type { CompactionEntry } from '@/server/contract/compactions';
import type { TrimMessage } from '@/server/contract/message';
import { idOf, reply, userMessage } from '../sync/fold-stream-arbitraries';
import { foldCompacted, foldRequested } from '../sync/fold-stream-compaction';
import { buildBlocks } from './build-turns';
import { countBefore, findFailure } from './failed-compaction';

const at = '2026-01-02T03:04:05.678Z';

function entry(seq: number, change: Partial<CompactionEntry> = {}): CompactionEntry {
  return {
    compactionId: idOf(seq),
    seq,
    startedAt: at,
    endedAt: at,
    trigger: 'auto',
    turnId: null,
    by: null,
    focus: null,
    outcome: 'failed',
    reason: 'provider_auth',
    method: null,
    model: null,
    chain: [],
    source: null,
    bytesBefore: 9_000,
    bytesAfter: null,
    numbers: { budget: 0, floor: 0, room: 0, trigger: 0, commit: 0, view: 0 },
    usage: null,
    cost: null,
    ms: 5,
    attempts: [],
    segments: [],
    checkpointId: null,
    carryOver: null,
    deferral: null,
    counters: { failuresInARow: 1, refills: 0 },
    ...change,
  };
}

function trim(n: number): TrimMessage {
  const none = { count: 0, bytes: 0 };
  const kinds = { results: none, trips: none, replies: none, messages: none };
  const metadata = { kinds, before: 9, after: 5, room: 6, items: [] };
  return { id: idOf(n), seq: n, at, role: 'trim', parts: [], metadata };
}

const path = [userMessage(1), reply(2, 'one'), userMessage(3), reply(6, 'two')];
const quiet = { messages: path, compaction: null, headMovedSeq: 0 };

describe('a compaction that failed', () => {
  it('C8: after a reload the ledger draws it where it was, before what is newer', () => {
    const failure = findFailure(quiet, [entry(4)]);
    expect(failure).toMatchObject({ seq: 4, trimmed: false, row: { state: 'failed', reason: 'provider_auth' } });
    expect(countBefore(buildBlocks(path), 4)).toBe(3);
  });

  it('B6: a trim in the same turn makes it untrue that nothing changed; one of a later turn does not', () => {
    expect(findFailure({ ...quiet, messages: [...path.slice(0, 3), trim(5)] }, [entry(4)])?.trimmed).toBe(true);
    const later = [...path, userMessage(7), trim(8)];
    expect(findFailure({ ...quiet, messages: later }, [entry(4)])?.trimmed).toBe(false);
  });

  it('only the newest counts: one that was written, or refused for too little, or stopped, says nothing more', () => {
    for (const outcome of ['committed', 'skipped', 'cancelled', 'running'] as const) {
      expect(findFailure(quiet, [entry(4), entry(7, { outcome, reason: null })])).toBeNull();
    }
    expect(findFailure(quiet, [entry(4), entry(7, { outcome: 'deferred' })])?.seq).toBe(4);
    expect(findFailure({ ...quiet, headMovedSeq: 5 }, [entry(4)])).toBeNull();
  });

  it('ux 6.3: the row of this tab and the line of the ledger are one card', () => {
    const asked = foldRequested(null, { clientRequestId: 'click', focus: 'ports', at });
    const data = { sessionId: '', compactionId: idOf(4), bytesBefore: 6_100, bytesAfter: 6_800 } as const;
    const row = foldCompacted(asked, { ...data, outcome: 'rejected', reason: 'not_smaller' });
    expect(findFailure({ ...quiet, compaction: row }, [entry(4)])?.row).toEqual(row);
    expect(findFailure({ ...quiet, compaction: asked }, [entry(4)])).toBeNull();
    expect(findFailure({ ...quiet, compaction: row }, [entry(2)])).toBeNull();
  });
});
