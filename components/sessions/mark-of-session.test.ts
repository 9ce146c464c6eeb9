import { describe, expect, it } from 'vitest';
import { type MarkContext, markOfSession, stateLine } from './mark-of-session';
import { buildSession } from './testing/build-session';

const away: MarkContext = { current: false, seenAt: '2026-11-20T09:00:00.000Z' };
const finished = (at: string) => ({ lastTurn: { outcome: 'finished' as const, code: null, at } });
const failed = { lastTurn: { outcome: 'failed' as const, code: 'provider_auth', at: '2026-11-20T08:30:00.000Z' } };

describe('the mark of a conversation (ux 4)', () => {
  it('tells what runs before what ended, and what ended before what moved on', () => {
    const marks = [
      buildSession(1, { status: 'running', behind: true, ...failed }),
      buildSession(2, { status: 'compacting', behind: true }),
      buildSession(3, { status: 'waiting_approval', behind: true }),
      buildSession(4, { behind: true, ...failed }),
      buildSession(5, { behind: true, ...finished('2026-11-20T10:00:00.000Z') }),
      buildSession(6, { behind: true, ...finished('2026-11-20T08:00:00.000Z') }),
      buildSession(7, finished('2026-11-20T08:00:00.000Z')),
    ].map((session) => markOfSession(session, away));
    expect(marks).toEqual(['replying', 'compacting', 'waiting', 'failed', 'new', 'behind', null]);
  });

  it('calls a reply new only when this device did not show it', () => {
    const session = buildSession(1, finished('2026-11-20T10:00:00.000Z'));
    expect(markOfSession(session, { current: true, seenAt: '2026-11-20T09:00:00.000Z' })).toBeNull();
    expect(markOfSession(session, { current: false, seenAt: '2026-11-20T10:00:00.000Z' })).toBeNull();
    expect(markOfSession(session, { current: false, seenAt: null })).toBeNull();
  });

  it('is said in the second line while something runs, else the line says how long ago', () => {
    const now = new Date('2026-11-20T11:00:00.000Z');
    const session = buildSession(1, { updatedAt: '2026-11-20T10:59:50.000Z' });
    expect([
      stateLine(session, 'waiting', now),
      stateLine(session, 'failed', now),
      stateLine(session, 'behind', now),
    ]).toEqual(['waiting for you', 'failed, now', 'now']);
  });
});
