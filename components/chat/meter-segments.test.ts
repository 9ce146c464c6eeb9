import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ContextMeter } from '@/server/contract/context';
import { layBars, toSegments, wordMeter } from './meter-segments';

const meter = (change: Partial<ContextMeter> = {}): ContextMeter => ({
  budgetBytes: 400_000,
  roomBytes: 360_000,
  usedBytes: 244_000,
  floor: [
    { part: 'application', bytes: 9_000 },
    { part: 'skills', bytes: 31_000 },
  ],
  conversation: [
    { part: 'summary', bytes: 6_000 },
    { part: 'messages', bytes: 58_000 },
    { part: 'tool_results', bytes: 140_000 },
  ],
  basis: 'measured',
  triggerBytes: 300_000,
  windowTokens: 200_000,
  windowSource: 'known',
  reportedTokens: 82_000,
  deferred: false,
  floorTooLarge: false,
  ...change,
});

describe('the meter', () => {
  it('contract 7: percent is of the budget, the tick stands at floor and trigger', () => {
    expect(wordMeter(meter())).toMatchObject({ percent: 61, short: '61\u00a0%', level: 'quiet', tick: 0.85 });
  });

  it('contract 7: the words go by the conversation’s share of its room, not by the percent', () => {
    const filled = (bytes: number) => wordMeter(meter({ conversation: [{ part: 'messages', bytes }] })).level;
    expect([0.69, 0.7, 0.84, 0.85].map((share) => filled(share * 360_000))).toEqual(['quiet', 'soon', 'soon', 'near']);
  });

  it('ux-9: what is estimated says so, and an unknown window is assumed and hatched', () => {
    expect(wordMeter(meter({ basis: 'estimated' })).short).toBe('≈\u00a061\u00a0%');
    expect(wordMeter(meter({ windowSource: 'unknown' }))).toMatchObject({
      long: '244\u00a0kB used, limit assumed',
      hatched: true,
    });
  });

  it('the parts are all bytes in use, in their fixed order', () => {
    const segments = toSegments(meter());
    expect(segments.reduce((sum, segment) => sum + segment.bytes, 0)).toBe(244_000);
    expect(segments.map((segment) => segment.name)).toEqual([
      'instructions',
      'skills',
      'memory',
      'summary',
      'messages',
      'results',
    ]);
  });

  it('ux-2.2: no segment is narrower than 3 px, and together they stay on the bar', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(300_000), { minLength: 6, maxLength: 6 }), (sizes) => {
        const segments = toSegments(meter()).map((segment, index) => ({ ...segment, bytes: sizes[index] ?? 0 }));
        const used = sizes.reduce((sum, size) => sum + size, 0);
        const bars = layBars(segments, Math.max(400_000, used), 104);
        for (const bar of bars) expect(bar.width).toBeGreaterThanOrEqual(3);
        const end = bars.at(-1);
        if (end) expect(end.x + end.width).toBeLessThanOrEqual(104 + 1e-6);
      }),
    );
  });
});
