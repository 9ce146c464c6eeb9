import { describe, expect, it } from 'vitest';
import { checkLog } from '@/server/core/log/check-log';
import { finishScan, scanChunk, startScan } from '@/server/core/log/scan-log';
import { foldSession } from '@/server/core/projection/session-state';
import { makeSession } from './make-session';

describe('the conversations that are measured', () => {
  const lines = [...makeSession({ items: 1000, seed: 7 })];
  const bytes = Buffer.from(lines.join(''));

  it('are possible ones: no rule of the log is broken', () => {
    const step = scanChunk(startScan(), bytes);
    const { log, violations, damage } = checkLog([...step.records, ...finishScan(step.state).records]);
    expect({ violations, damage }).toEqual({ violations: [], damage: [] });
    const session = foldSession(log, log.logId);
    expect(session.items.length).toBeGreaterThanOrEqual(1000);
    expect(session.checkpoint?.event.covers.items).toBeGreaterThan(500);
  });

  it('take about a kilobyte an item', () => {
    expect(bytes.length / 1000).toBeGreaterThan(800);
    expect(bytes.length / 1000).toBeLessThan(1300);
  });

  it('are the same bytes for the same seed', () => {
    expect([...makeSession({ items: 50, seed: 7 })]).toEqual([...makeSession({ items: 50, seed: 7 })]);
    expect([...makeSession({ items: 50, seed: 8 })]).not.toEqual([...makeSession({ items: 50, seed: 7 })]);
  });
});
