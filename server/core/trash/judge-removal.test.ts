import { describe, expect, it } from 'vitest';
import { aLog, type LogBuilder } from '@/server/core/projection/log-builder';
import type { LogState } from '@/server/core/projection/state-shape';
import { judgeRemoval } from './judge-removal';

const keepMs = 30 * 86_400_000;

/** When this conversation was put into the trash; the builder gives each line its time. */
function deletedAt(log: LogState, branch: string): number {
  return Date.parse(log.branches.get(branch)?.ledger.deletedAt ?? '');
}

function deletes(story: LogBuilder): LogBuilder {
  return story.appends({ type: 'session.deleted', by: 'ada' });
}

const aTalk = () => aLog().session().says('one').replies('two').ends();
const judge = (log: LogState, now: number) => judgeRemoval(log, { now, keepMs });

describe('when a log may go for good', () => {
  it('L1: at the thirtieth day to the millisecond it stays, one beyond it goes', () => {
    const story = deletes(aTalk());
    const [log, id] = [story.log(), story.branch];
    const at = deletedAt(log, id);
    expect(judge(log, at + keepMs)).toEqual({ goes: false, why: 'young' });
    expect(judge(log, at + keepMs + 1)).toEqual({
      goes: true,
      sessions: [{ sessionId: id, deletedAt: new Date(at).toISOString() }],
    });
    // A clock that was set back makes nothing older.
    expect(judge(log, at - 1)).toEqual({ goes: false, why: 'young' });
  });

  it('L1: what was restored is alive, and counts anew when it is deleted again', () => {
    const story = deletes(aTalk());
    const first = deletedAt(story.log(), story.branch);
    story.appends({ type: 'session.restored', by: 'ada' });
    expect(judge(story.log(), first + 10 * keepMs)).toEqual({ goes: false, why: 'alive' });
    deletes(story);
    const second = deletedAt(story.log(), story.branch);
    expect(second).toBeGreaterThan(first);
    expect(judge(story.log(), second + keepMs)).toEqual({ goes: false, why: 'young' });
    expect(judge(story.log(), second + keepMs + 1).goes).toBe(true);
  });

  it('L3: while a fork lives nothing goes; then the younger of both decides', () => {
    const story = aTalk();
    const root = story.branch;
    story.forks(2);
    const fork = story.branch;
    deletes(story.on(root));
    expect(judge(story.log(), deletedAt(story.log(), root) + 10 * keepMs)).toEqual({ goes: false, why: 'alive' });
    deletes(story.on(fork));
    const log = story.log();
    expect(judge(log, deletedAt(log, fork) + keepMs)).toEqual({ goes: false, why: 'young' });
    const judged = judge(log, deletedAt(log, fork) + keepMs + 1);
    expect(judged.goes && judged.sessions.map(({ sessionId }) => sessionId)).toEqual([root, fork]);
  });

  it('rel-S13: where a line cannot be read it might be the one that restored, so the log stays', () => {
    const late = 10 * keepMs;
    const story = deletes(aTalk());
    const whole = story.log();
    const at = deletedAt(whole, story.branch);
    const damaged = { ...whole, damage: [{ from: 10, to: 20, why: 'checksum' }] };
    expect(judge(damaged, at + late)).toEqual({ goes: false, why: 'unreadable' });
    expect(judge(deletes(aTalk()).appendsNewer().log(), at + late)).toEqual({ goes: false, why: 'unreadable' });
    // A torn end that was sealed was never acknowledged: nothing is missing there.
    const sealed = deletes(aTalk()).appends({ type: 'log.sealed', from: 10, to: 20, kind: 'torn' }).log();
    expect(judge({ ...sealed, damage: damaged.damage }, at + late).goes).toBe(true);
  });
});
