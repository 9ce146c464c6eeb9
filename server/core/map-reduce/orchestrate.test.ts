import { expect, it } from 'vitest';
import { sceneOf } from '@/server/core/compaction/step-play';
import { longTalk, orchestrate, segmentsJob, windowed } from './play-segments';

it('perf-F5: what the bench takes the time of is eight maps, a reduction and an audit of a talk of 24 turns', () => {
  const job = segmentsJob({ factsOf: windowed(4_600) });
  expect(orchestrate(job, sceneOf(longTalk(24), 60_000))).toEqual({ map: 8, reduce: 1, audit: 1 });
});
