import { describe, expect, it } from 'vitest';
import { says } from '@/server/core/compaction/step-play';
import type { NewEvent } from '@/server/core/log/new-event';
import { MOST_REPARTITIONS } from './bounds';
import {
  answering,
  eventsOf,
  longTalk,
  overflow,
  playSegments,
  recovers,
  segmentsJob,
  stageOf,
  windowed,
} from './play-segments';

describe('a request that the provider finds too long (R7)', () => {
  it('R7, R10: a run that is taken up again packs what is missing as small as it was packed last', () => {
    const log = longTalk(40);
    const job = () => segmentsJob({ factsOf: windowed(16_000) });
    const respond = answering({ map: (_call, nth) => (nth === 1 ? overflow() : null) });
    const isRepacked = (events: readonly NewEvent[]) =>
      events.some((event) => event.type === 'staging.planned' && event.round === 1);
    const first = eventsOf(playSegments(log, { job: job(), respond, dies: isRepacked }).events, 'staging.planned');
    const again = eventsOf(playSegments(recovers(log), { job: job() }).events, 'staging.planned');
    const packed = ({ targetBytes, round }: NewEvent<'staging.planned'>) => [targetBytes, round];
    expect(again.map(packed)).toEqual([first.at(-1)].flatMap((plan) => (plan ? [packed(plan)] : [])));
    expect(again[0]?.targetBytes).toBeLessThan(first[0]?.targetBytes ?? 0);
  });

  it(`R7: an audit is made smaller ${MOST_REPARTITIONS} times, not a fourth time`, () => {
    const log = longTalk(80);
    const map = () => says(`- "${'n'.repeat(600)}" (item 3)`);
    const isReduced = (events: readonly NewEvent[]) => events.some(({ type }) => type === 'staging.reduce');
    // Many small notes, left by a small window: whatever a large one is refused, fewer of them still fit.
    playSegments(log, { job: segmentsJob({ factsOf: windowed(2_500) }), respond: answering({ map }), dies: isReduced });
    recovers(log);
    const refusing = (most: number) =>
      playSegments(log, {
        job: segmentsJob({ factsOf: windowed(25_000) }),
        respond: answering({ audit: (_call, nth) => (nth <= most ? overflow() : null) }),
      });
    const beyond = refusing(MOST_REPARTITIONS + 1);
    expect(beyond.done).toMatchObject({ outcome: 'failed', reason: 'repartitions_spent' });
    const sizes = beyond.calls.filter((call) => stageOf(call) === 'audit').map(({ request }) => request.measureBytes);
    expect(sizes).toHaveLength(MOST_REPARTITIONS + 1);
    for (const [index, size] of sizes.slice(1).entries()) expect(size).toBeLessThanOrEqual((sizes[index] ?? 0) / 2);
    expect(refusing(MOST_REPARTITIONS).done?.outcome).toBe('committed');
  });
});
