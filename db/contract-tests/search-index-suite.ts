import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SearchIndex, SearchText } from '@/server/ports/search-index';

export interface SearchIndexSubject {
  readonly search: SearchIndex;
  readonly dispose: () => Promise<void>;
}

const text = (itemId: string, said: string, point = Number(itemId.slice(1))): SearchText => ({
  itemId,
  shownId: itemId,
  point,
  kind: 'user',
  at: '2026-11-20T08:00:00.000Z',
  text: said,
});

/** What every driver of the port promises. */
export function describeSearchIndex(name: string, open: () => Promise<SearchIndexSubject>) {
  describe(`search index: ${name}`, () => {
    let subject: SearchIndexSubject;
    let search: SearchIndex;
    const add = (sessionId: string, texts: readonly SearchText[], title = '') =>
      search.add({ sessionId, logId: 'log', title, texts });
    const snippets = async (query: string, sessionIds: readonly string[], each = 3) =>
      (await search.matches(query, { sessionIds, each })).map(({ itemId, snippet }) => [itemId, snippet]);

    beforeEach(async () => {
      subject = await open();
      search = subject.search;
    });
    afterEach(() => subject.dispose());

    it('X9: a question sees every change made before it', async () => {
      add('a', [text('i1', 'The berth plan of the harbour')]);
      expect(await search.find('harbour')).toEqual(['a']);
      add('b', [text('i2', 'Another harbour')]);
      expect(await search.find('harbour')).toEqual(['a', 'b']);
    });

    it('X9: any letter case, all words, the last one as far as it was typed', async () => {
      add('a', [text('i1', 'Retry the nightly Backfill at 02:15, Größe 7')]);
      for (const query of [
        'RETRY',
        'nightly back',
        'backfill retry',
        'größe',
        'GROSSE'.replace('SS', 'ß'),
        '02:15',
        '02:1',
      ])
        expect(await search.find(query), query).toEqual(['a']);
      for (const query of ['night retry', 'retry tomorrow', 'ackfill', '15:02'])
        expect(await search.find(query), query).toEqual([]);
    });

    it('X9: the words of a title are found too, only under its newest wording, and are no match of a message', async () => {
      add('a', [], 'Café invoices');
      expect(await search.find('cafe inv')).toEqual(['a']);
      expect(await snippets('cafe', ['a'])).toEqual([]);
      add('a', [], 'Receipts');
      expect(await search.find('cafe')).toEqual([]);
      expect(await search.find('receipts')).toEqual(['a']);
    });

    it('X9: matches are the newest of each session, as plain text', async () => {
      add('a', [text('i1', 'mole one'), text('i2', '<b>mole</b> & two'), text('i3', 'mole three')]);
      add('b', [text('i4', 'mole four')]);
      expect(await snippets('mole', ['a', 'b'], 2)).toEqual([
        ['i3', 'mole three'],
        ['i2', '<b>mole</b> & two'],
        ['i4', 'mole four'],
      ]);
      expect(await snippets('mole', ['b'])).toEqual([['i4', 'mole four']]);
    });

    it('X9: each match says its kind, time and point, and how many are left from it on; a page goes on before a point', async () => {
      const times = ['2026-11-20T08:00:00.000Z', '2026-11-20T08:01:00.000Z', '2026-11-20T08:02:00.000Z'];
      const kinds = ['user', 'tool', 'summary'] as const;
      const said = times.map((at, n) => ({ ...text(`i${n + 1}`, 'mole'), at, kind: kinds[n] ?? 'user' }));
      add('a', said);
      const first = await search.matches('mole', { sessionIds: ['a'], each: 2 });
      expect(first).toEqual([
        { sessionId: 'a', itemId: 'i3', point: 3, kind: 'summary', at: times[2], snippet: 'mole', left: 3 },
        { sessionId: 'a', itemId: 'i2', point: 2, kind: 'tool', at: times[1], snippet: 'mole', left: 2 },
      ]);
      const rest = await search.matches('mole', { sessionIds: ['a'], each: 2, before: 2 });
      expect(rest.map(({ itemId, left }) => [itemId, left])).toEqual([['i1', 1]]);
      expect(await search.matches('mole', { sessionIds: ['a'], each: 2, before: 1 })).toEqual([]);
    });

    it('L3: a text that a fork shares is found in both, and stays with one when the other is removed', async () => {
      add('a', [text('i1', 'lighthouse')]);
      add('fork', [text('i1', 'lighthouse'), text('i2', 'only here')]);
      expect(await search.find('lighthouse')).toEqual(['a', 'fork']);
      search.remove('a');
      expect(await search.find('lighthouse')).toEqual(['fork']);
      search.remove('fork');
      expect(await search.find('lighthouse')).toEqual([]);
      add('a', [text('i1', 'lighthouse')]);
      expect(await snippets('lighthouse', ['a'])).toEqual([['i1', 'lighthouse']]);
    });

    it('X9: what is added again changes nothing', async () => {
      add('a', [text('i1', 'anchor')]);
      add('a', [text('i1', 'anchor'), text('i2', 'chain')]);
      expect(await snippets('anchor', ['a'])).toEqual([['i1', 'anchor']]);
      expect(await snippets('chain', ['a'])).toEqual([['i2', 'chain']]);
    });

    it('X9: of scripts without blanks any run of characters is found', async () => {
      add('a', [text('i1', '明日東京駅で会う')]);
      expect(await search.find('東京')).toEqual(['a']);
      expect(await search.find('京東')).toEqual([]);
    });

    it.each([
      '"',
      '""',
      "'",
      '*',
      'a*',
      '"a',
      '-',
      'a AND',
      'OR',
      'NOT b',
      'NEAR(',
      'NEAR(a b, 2)',
      'words:a',
      '{a}',
      '^a',
      '(',
      'a)',
      'a;drop table texts',
      '%',
      '_',
      '\\',
      '\u0000',
      '🦊',
      '\ud800',
      '+',
      'a + b',
      `${'('.repeat(400)}`,
      'x '.repeat(250),
    ])('X9: %j is words, never a query of its own kind', async (query) => {
      add('a', [text('i1', 'harmless')]);
      expect(await search.find(query)).toEqual([]);
      expect(await search.matches(query, { sessionIds: ['a'], each: 1 })).toEqual([]);
      expect(await search.find('harmless')).toEqual(['a']);
    });

    it('L1: of a log that is gone nothing is found and no size is kept; other logs stay', async () => {
      add('a', [text('i1', 'anchor')], 'Title of it');
      search.add({ sessionId: 'b', logId: 'other', title: 'Another', texts: [text('i1', 'anchor')] });
      await search.noteSizes([
        { logId: 'log', bytes: 7 },
        { logId: 'other', bytes: 8 },
      ]);
      search.remove('a');
      search.forgetLog('log');
      expect(await search.find('anchor')).toEqual(['b']);
      expect(await search.find('title')).toEqual([]);
      expect(await search.notedSizes()).toEqual(new Map([['other', 8]]));
      add('a', [text('i1', 'anchor')]);
      search.forgetLog('log');
      expect(await search.find('anchor')).toEqual(['b']);
    });

    it('L1: sizes are noted after the changes before them, and clearing forgets all', async () => {
      add('a', [text('i1', 'anchor')], 'Title');
      await search.noteSizes([{ logId: 'log', bytes: 7 }]);
      expect(await search.notedSizes()).toEqual(new Map([['log', 7]]));
      search.clear();
      expect(await search.find('anchor')).toEqual([]);
      expect(await search.find('title')).toEqual([]);
      expect(await search.notedSizes()).toEqual(new Map());
    });
  });
}
