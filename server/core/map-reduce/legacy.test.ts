import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { play, says, sceneOfState, textOfCall, types, whole } from '@/server/core/compaction/step-play';
import { checkLog } from '@/server/core/log/check-log';
import { finishScan, scanChunk, startScan } from '@/server/core/log/scan-log';
import { foldLog } from '@/server/core/projection/log-state';
import { foldSession } from '@/server/core/projection/session-state';
import { segmentsJob, windowed } from './play-segments';
import { applyStaging, foldStaging } from './staging';

/** Logs with staging of older versions, written by hand (`docs/staging.md`). */
const read = (name: string) => {
  const bytes = readFileSync(fileURLToPath(new URL(`fixtures/${name}.jsonl`, import.meta.url)));
  const { state, records } = scanChunk(startScan(), bytes);
  const all = [...records, ...finishScan(state).records];
  const log = foldLog(all);
  return { all, session: foldSession(log, log.logId) };
};

const VERSIONS = [
  ['staging-1', 1],
  ['staging-2', 2],
  ['staging-unversioned', null],
] as const;

describe('staging of older versions (R5)', () => {
  it.each(VERSIONS)('R5: %s is read, breaks no rule, and stands open until it is answered', (name, version) => {
    const { all, session } = read(name);
    expect(all.every(({ kind }) => kind === 'event')).toBe(true);
    expect(session.fromNewerVersion).toBe(false);
    expect(checkLog(all).violations).toEqual([]);
    const staging = foldStaging(session.compactions);
    expect([...staging.legacy]).toEqual([version ?? 'unversioned']);
    expect([staging.maps.size, staging.reductions.size, staging.audits.length]).toEqual([0, 0, 0]);
  });

  it.each(VERSIONS)('R5: %s is answered by a line and a toast, its text is never used, once', (name, version) => {
    const { session } = read(name);
    const job = segmentsJob({ factsOf: windowed(100_000) });
    const { events, commands, calls, done } = play(job, sceneOfState(session), [says(whole)]);
    expect(done?.outcome).toBe('committed');
    expect(types(events).slice(0, 2)).toEqual(['compaction.started', 'staging.invalidated']);
    expect(events[1]).toMatchObject({ version, reason: 'old_version' });
    expect(commands.filter((command) => command.do === 'notice')).toMatchObject([{ code: 'staging_rebuilt' }]);
    expect(calls.map(textOfCall).join('')).not.toContain('OLD TEXT');
    expect(events.reduce(applyStaging, foldStaging(session.compactions)).legacy.size).toBe(0);
  });

  it.each(VERSIONS)('R5, S4: %s is rebuilt in segments from the whole source', (name) => {
    const { session } = read(name);
    const job = segmentsJob({ factsOf: windowed(2_000) });
    const maps = play(job, sceneOfState(session), []).calls.map(() => says('- "never on Thursdays" (item 1)'));
    expect(maps.length).toBeGreaterThan(1);
    const { calls, events, done } = play(job, sceneOfState(session), [...maps, says(whole), says('PASS')]);
    expect(done?.outcome).toBe('committed');
    expect(calls.map(textOfCall).join('')).not.toContain('OLD TEXT');
    const planned = events.find((event) => event.type === 'staging.planned');
    expect(planned?.segments.flatMap((segment) => segment.items)).toEqual(session.items.map(({ id }) => id));
  });
});
