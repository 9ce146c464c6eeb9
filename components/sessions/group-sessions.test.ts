import { describe, expect, it } from 'vitest';
import { groupSessions } from './group-sessions';
import { buildSession } from './testing/build-session';

/** Local noon of a day, as the server writes times. */
const noon = (year: number, month: number, day: number) => new Date(year, month - 1, day, 12).toISOString();
const now = new Date(2026, 10, 20, 15, 0);

describe('groups of the session list (ux 4)', () => {
  it('are Pinned, Today, Yesterday, Previous 7 days, then months', () => {
    const sessions = [
      buildSession(1, { updatedAt: noon(2025, 12, 24) }),
      buildSession(2, { updatedAt: noon(2026, 10, 2) }),
      buildSession(3, { updatedAt: noon(2026, 11, 13) }),
      buildSession(4, { updatedAt: noon(2026, 11, 19) }),
      buildSession(5, { updatedAt: noon(2026, 11, 20) }),
      buildSession(6, { updatedAt: noon(2026, 10, 9), pinned: true }),
      buildSession(7, { updatedAt: noon(2026, 11, 12) }),
    ];
    expect(groupSessions(sessions, now).map((group) => [group.title, group.sessions.map((row) => row.title)])).toEqual([
      ['Pinned', ['Conversation 6']],
      ['Today', ['Conversation 5']],
      ['Yesterday', ['Conversation 4']],
      ['Previous 7 days', ['Conversation 3']],
      ['November', ['Conversation 7']],
      ['October', ['Conversation 2']],
      ['December 2025', ['Conversation 1']],
    ]);
  });

  it('hold the newest first, and take a time of tomorrow for today', () => {
    const sessions = [
      buildSession(1, { updatedAt: noon(2026, 11, 20) }),
      buildSession(2, { updatedAt: noon(2026, 11, 21) }),
    ];
    const groups = groupSessions(sessions, now);
    expect(groups.map((group) => group.key)).toEqual(['today']);
    expect(groups[0]?.sessions.map((row) => row.title)).toEqual(['Conversation 2', 'Conversation 1']);
  });
});
