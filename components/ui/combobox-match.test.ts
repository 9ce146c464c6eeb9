import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matchText, rankItems } from './combobox-match';

const names = ['context', 'compact', 'carry', 'check-locks', 'archive'];
const ranked = (query: string, recent: readonly string[] = []) =>
  rankItems(names, query, {
    textsOf: (name) => [name],
    recencyOf: (name) => (recent.includes(name) ? recent.indexOf(name) : null),
  }).map(({ item }) => item);

describe('matching (ux 10)', () => {
  it('puts a prefix before a word start before letters in order', () => {
    expect(ranked('co')).toEqual(['context', 'compact', 'check-locks']);
    expect(ranked('l')).toEqual(['check-locks']);
    expect(ranked('cks')).toEqual(['check-locks']);
  });

  it('lets the recently used go first among equals only', () => {
    expect(ranked('co', ['compact'])).toEqual(['compact', 'context', 'check-locks']);
    expect(ranked('co', ['check-locks'])).toEqual(['context', 'compact', 'check-locks']);
  });

  it('answers to aliases without drawing them bold', () => {
    const found = rankItems([{ name: 'sonnet-x', provider: 'Anthropic' }], 'anth', {
      textsOf: ({ name, provider }) => [name, provider],
    });
    expect(found.map(({ match }) => match)).toEqual([{ rank: 'prefix', bold: [] }]);
  });

  it('marks exactly the letters of the query, whatever text it meets', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme-ascii' }),
        fc.string({ unit: 'grapheme-ascii', maxLength: 4 }),
        (text, query) => {
          const match = matchText(text, query);
          if (match === null) return;
          const bold = match.bold.map(({ from, to }) => text.slice(from, to)).join('');
          expect(bold.toLowerCase()).toBe(query.trim().toLowerCase());
        },
      ),
    );
  });
});
