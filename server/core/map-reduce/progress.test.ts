import { describe, expect, it } from 'vitest';
import type { StoredEvent } from '@/server/contract/events/event';
import { toSegments } from './progress';

const run = '01J00000000000000000000C01';
const print = (letter: string) => letter.repeat(64);

function stored<T extends StoredEvent['type']>(type: T, fields: object): StoredEvent {
  const envelope = { v: 1, seq: 1, id: run, branch: run, at: '2026-01-01T00:00:00.000Z' };
  return JSON.parse(JSON.stringify({ ...envelope, type, compactionId: run, ...fields }));
}

const segment = (n: number) => ({
  n,
  from: `01J00000000000000000000A0${n}`,
  through: `01J00000000000000000000B0${n}`,
  items: [`01J00000000000000000000A0${n}`, `01J00000000000000000000B0${n}`],
  fingerprint: print(String(n)),
  bytes: 100 * n,
});
const planned = stored('staging.planned', { version: 3, segments: [segment(1), segment(2), segment(3), segment(4)] });
const attempt = (n: number, outcome: string) => stored('compaction.attempt', { stage: 'map', segment: n, outcome });
const mapped = (n: number) => stored('staging.map', { fingerprint: print(String(n)), items: [], text: 'x' });

describe('X6: the segments of a compaction', () => {
  it('X6: done, failed, being read and waiting, as the lines say it', () => {
    const lines = [planned, mapped(1), attempt(1, 'accepted'), attempt(2, 'failed'), attempt(3, 'cancelled')];
    const segments = toSegments(lines, run, [4]);
    expect(segments.map(({ n, state, items }) => [n, state, items])).toEqual([
      [1, 'done', 2],
      [2, 'failed', 2],
      [3, 'waiting', 2],
      [4, 'running', 2],
    ]);
  });

  it('X6: one that is read again runs, and is done once it is accepted', () => {
    const lines = [planned, attempt(2, 'failed')];
    expect(toSegments(lines, run, [2])[1]?.state).toBe('running');
    expect(toSegments([...lines, mapped(2), attempt(2, 'accepted')], run)[1]?.state).toBe('done');
  });

  it('X6: maps of an earlier attempt count, those of a later one do not', () => {
    const before = stored('staging.map', {
      compactionId: '01J00000000000000000000C00',
      fingerprint: print('1'),
      text: '',
    });
    expect(toSegments([before, planned], run)[0]?.state).toBe('done');
    const ended = stored('compaction.ended', { outcome: 'failed' });
    expect(toSegments([planned, ended, mapped(2)], run)[1]?.state).toBe('waiting');
  });

  it('X6: a compaction in one request has none', () => {
    expect(toSegments([attempt(1, 'accepted')], run)).toEqual([]);
  });
});
