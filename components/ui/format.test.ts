import { describe, expect, it } from 'vitest';
import { formatBytes, formatWindow } from './format-bytes';
import { formatDuration, formatRelative } from './format-time';

const plain = (text: string) => text.replaceAll('\u00a0', ' ');

describe('sizes', () => {
  it('are thousands with one decimal under a hundred', () => {
    expect(
      [0, 1, 840, 1000, 6_100, 99_940, 99_950, 212_000, 999_499, 999_500, 1_300_000].map((n) => plain(formatBytes(n))),
    ).toEqual([
      '0 bytes',
      '1 byte',
      '840 bytes',
      '1 kB',
      '6.1 kB',
      '99.9 kB',
      '100 kB',
      '212 kB',
      '999 kB',
      '1 MB',
      '1.3 MB',
    ]);
  });

  it('of windows say when nobody knows them', () => {
    expect([8000, 200_000, 1_000_000, 1_048_576, null].map(formatWindow)).toEqual([
      '8k',
      '200k',
      '1M',
      '1M',
      'window unknown',
    ]);
  });
});

describe('times', () => {
  const now = new Date(2026, 10, 20, 15, 0);
  const at = (day: number, hour: number, minute = 0) => formatRelative(new Date(2026, 10, day, hour, minute), now);

  it('go from now over hours and yesterday to the date', () => {
    expect([at(20, 15), at(20, 14, 48), at(20, 12), at(19, 17, 20), at(17, 9), at(3, 9)]).toEqual([
      'now',
      '12 min',
      '3 h',
      'yesterday, 17:20',
      'Tuesday',
      '3 November',
    ]);
    expect(formatRelative(new Date(2025, 5, 3), now)).toBe('3 June 2025');
  });

  it('of a clock that runs ahead of ours are now', () => {
    expect(formatRelative(new Date(2026, 10, 20, 15, 5), now)).toBe('now');
  });

  it('that passed are short', () => {
    expect([400, 12_000, 125_000, 120_000].map((ms) => plain(formatDuration(ms)))).toEqual([
      '0.4 s',
      '12 s',
      '2 min 5 s',
      '2 min',
    ]);
  });
});
