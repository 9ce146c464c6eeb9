import { describe, expect, it } from 'vitest';
import type { CompactionAttempt, CompactionEntry } from '@/server/contract/compactions';
import { idOf } from '../sync/fold-stream-arbitraries';
import { countKept, pickSegments, sayResumed, saySource, sayTally, toSegmentRows } from './segment-words';

const segment = (n: number, state: CompactionEntry['segments'][number]['state'], items = 24) => ({
  n,
  from: idOf(n * 10),
  through: idOf(n * 10 + 9),
  items,
  bytes: 138_000,
  state,
});

const attempt = (n: number, of: number, change: Partial<CompactionAttempt> = {}): CompactionAttempt => ({
  n,
  at: '2026-01-02T03:04:05.678Z',
  stage: 'map',
  segment: of,
  model: { provider: 'fake', model: 'haiku-x' },
  requestBytes: 140_000,
  ceiling: 800,
  end: 'stop',
  rawEnd: 'stop',
  usage: null,
  cost: null,
  ms: 7_000,
  outcome: 'accepted',
  reason: null,
  detail: null,
  ...change,
});

const segments = [
  segment(1, 'done'),
  segment(2, 'done'),
  segment(3, 'waiting'),
  segment(4, 'failed'),
  segment(5, 'waiting'),
];
const attempts = [
  attempt(1, 2),
  attempt(2, 3, { outcome: 'failed', reason: 'provider_incomplete' }),
  attempt(3, 4, { outcome: 'failed', reason: 'provider_rate_limited' }),
];

describe('segments in sight (X6)', () => {
  it('X6: each says what became of it; what is being read is told by the stream alone', () => {
    const rows = toSegmentRows({ segments, attempts, endedAt: null }, [3]);
    expect(rows.map(({ words }) => words)).toEqual([
      'kept from an earlier try',
      'written',
      'writing, second try; before: the answer broke off',
      'failed: rate limited; tried again by itself',
      'waits',
    ]);
    expect(rows.map(({ ms }) => ms)).toEqual([null, 7_000, null, null, null]);
    const over = toSegmentRows({ segments, attempts, endedAt: '2026-01-02T03:04:05.678Z' });
    expect(over.slice(3).map(({ words }) => words)).toEqual(['failed: rate limited', 'not written yet']);
  });

  it('R4: those kept from an earlier try are counted as what it went on from', () => {
    const rows = toSegmentRows({ segments, attempts, endedAt: null });
    expect(countKept(rows)).toBe(1);
    expect(sayResumed(rows)).toBe('Went on from 1 of 5 segments: those are kept from an earlier try.');
    expect(sayResumed(rows.slice(1))).toBe('');
  });

  it('R4: one that is written stays written, though the stream still names it', () => {
    expect(toSegmentRows({ segments, attempts, endedAt: null }, [2])[1]?.state).toBe('done');
  });

  it('says the whole in one line', () => {
    expect(sayTally({ done: 5, running: 3, failed: 0, total: 9 })).toBe('5 of 9 segments written, 3 in progress');
    expect(sayTally({ done: 0, running: 0, failed: 1, total: 1 })).toBe('0 of 1 segment written, 1 failed');
    const source = { from: idOf(1), through: idOf(9), items: 214, bytes: 1_300_000 };
    expect(saySource({ source })).toBe('214 messages, 1.3\u00a0MB');
  });

  it('of many only those are listed that move or failed, with the newest written one', () => {
    const many = [1, 2, 3, 4, 5].map((n) => segment(n, 'done')).concat(segment(6, 'failed'), segment(7, 'waiting'));
    expect(pickSegments(toSegmentRows({ segments: many, attempts: [], endedAt: null })).map(({ n }) => n)).toEqual([
      5, 6,
    ]);
    expect(pickSegments(toSegmentRows({ segments, attempts, endedAt: null }))).toHaveLength(5);
  });
});
