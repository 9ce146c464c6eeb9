import { describe, expect, it } from 'vitest';
import { groupAttempts, groupTries } from './attempt-groups';
import { anAttempt } from './testing/a-ledger';

const haiku = { provider: 'fake', model: 'haiku-x' };
const sonnet = { provider: 'fake', model: 'sonnet-x' };

describe('the requests of a compaction as few lines as tell it (ux 6.2)', () => {
  it('accepted segments of one model are one line, with the time they took side by side; what was refused stands for itself', () => {
    const attempts = [
      anAttempt({ n: 1, stage: 'map', segment: 1, model: haiku, ms: 4_000, at: '2026-11-20T08:00:04.000Z' }),
      anAttempt({ n: 2, stage: 'map', segment: 2, model: haiku, ms: 5_000, at: '2026-11-20T08:00:06.000Z' }),
      anAttempt({ n: 3, stage: 'map', segment: 3, model: haiku, outcome: 'failed', reason: 'rate_limit', ms: 1_000 }),
      anAttempt({ n: 4, stage: 'map', segment: 3, model: sonnet, ms: 6_000 }),
      anAttempt({ n: 5, stage: 'reduce', segment: null, model: sonnet, ms: 7_000 }),
      anAttempt({ n: 6, stage: 'audit', segment: null, model: sonnet, ms: 800 }),
      anAttempt({ n: 7, stage: 'audit', segment: null, model: sonnet, ms: 900, at: '2026-11-20T08:00:01.000Z' }),
    ];
    expect(groupAttempts(attempts).map(({ model, words, ms }) => `${model.model}: ${words}, ${ms}`)).toEqual([
      'haiku-x: 2 segments written, 6000',
      'haiku-x: Segment 3: rate limited, 1000',
      'sonnet-x: 1 segment written, 6000',
      'sonnet-x: Joining: done, 7000',
      'sonnet-x: Check: 2 requests, done, 1800',
    ]);
  });

  it('C8: a model that came to the same end twice is one line with its count', () => {
    const cut = { outcome: 'rejected', reason: 'incomplete:length', model: haiku } as const;
    const tries = groupTries([
      anAttempt({ n: 1, ...cut, ms: 300 }),
      anAttempt({ n: 2, ...cut, ms: 400 }),
      anAttempt({ n: 3, ...cut, model: sonnet }),
      anAttempt({ n: 4, ...cut, model: sonnet, reason: 'empty' }),
    ]);
    expect(tries.map(({ attempt, words, ms }) => `${attempt.model.model}: ${words}, ${ms}`)).toEqual([
      'haiku-x: the answer broke off (it reached the limit of its length), 2 times, 700',
      'sonnet-x: the answer broke off (it reached the limit of its length), 9000',
      'sonnet-x: the summary came back empty, 9000',
    ]);
  });

  it('X3: requests for the whole are never put together', () => {
    const attempts = [
      anAttempt({ n: 1, outcome: 'rejected', reason: 'empty' }),
      anAttempt({ n: 2, outcome: 'accepted', reason: null }),
    ];
    expect(groupAttempts(attempts).map(({ words }) => words)).toEqual([
      'the summary came back empty',
      'finished, accepted',
    ]);
  });
});
