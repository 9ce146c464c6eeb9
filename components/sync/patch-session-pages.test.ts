import { describe, expect, it } from 'vitest';
import { buildSession } from '../sessions/testing/build-session';
import { patchSessionPages, type SessionPages } from './patch-session-pages';

const one = buildSession(1, { headSeq: 5 });
const two = buildSession(2, { headSeq: 5 });
const pages: SessionPages = {
  pages: [
    { sessions: [one], nextCursor: 'next' },
    { sessions: [two], nextCursor: null },
  ],
  pageParams: [null, 'next'],
};
const titles = (patched: SessionPages | null) => patched?.pages.map((page) => page.sessions.map((row) => row.title));

describe('a list of conversations after session.updated (ux 4)', () => {
  it('changes a row where it stands', () => {
    const renamed = { ...two, title: 'Renamed', headSeq: 6 };
    expect(titles(patchSessionPages(pages, renamed, {}))).toEqual([['Conversation 1'], ['Renamed']]);
  });

  it('puts a new conversation in front, once', () => {
    const three = buildSession(3);
    const once = patchSessionPages(pages, three, {});
    expect(titles(once)).toEqual([['Conversation 3', 'Conversation 1'], ['Conversation 2']]);
    expect(titles(once && patchSessionPages(once, three, {}))).toEqual(titles(once));
  });

  it('ignores an event older than what it holds', () => {
    expect(patchSessionPages(pages, { ...one, title: 'Late', headSeq: 4 }, {})).toBe(pages);
  });

  it('takes out what was deleted, archived or caught up, each from the list it no longer belongs to', () => {
    const gone = [['Conversation 2']];
    expect(titles(patchSessionPages(pages, { ...one, deletedAt: one.updatedAt }, {}))?.slice(1)).toEqual(gone);
    expect(titles(patchSessionPages(pages, { ...one, archived: true }, {}))?.slice(1)).toEqual(gone);
    expect(titles(patchSessionPages(pages, { ...one, behind: false }, { behind: true }))?.slice(1)).toEqual(gone);
    expect(titles(patchSessionPages(pages, buildSession(3, { archived: true }), {}))).toEqual(titles(pages));
  });

  it('leaves it to the server whether a new one meets a text', () => {
    expect(patchSessionPages(pages, buildSession(3), { q: 'orders' })).toBeNull();
    expect(titles(patchSessionPages(pages, { ...one, title: 'Other', headSeq: 6 }, { q: 'orders' }))?.[0]).toEqual([
      'Other',
    ]);
  });
});
