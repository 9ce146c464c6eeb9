import { describe, expect, it } from 'vitest';
import { createHighlighter, grammarOf, longestColoured } from './highlight';

describe('colours of code', () => {
  it('ux-2.1: keywords, literals and comments are told apart, and the text stays exactly itself', async () => {
    const code = "-- one batch\nselect id from orders where email = 'x' and n = 5;";
    const lines = await createHighlighter()(code, 'sql');
    expect(lines?.map((line) => line.map((token) => token.text).join('')).join('\n')).toBe(code);
    const kinds = new Map(lines?.flat().map((token) => [token.text.trim(), token.kind]));
    expect(kinds.get('select')).toBe('keyword');
    expect(kinds.get('5')).toBe('literal');
    expect([...kinds].find(([text]) => text.includes('one batch'))?.[1]).toBe('comment');
  });

  it('a language without a grammar here stays plain, and so does what is too long to colour while typing', async () => {
    expect(grammarOf('ts')).toBe('typescript');
    expect(grammarOf('scripts/backfill.sql')).toBe('sql');
    expect(grammarOf('mermaid')).toBeNull();
    expect(grammarOf('constructor')).toBeNull();
    expect(await createHighlighter()('x'.repeat(longestColoured + 1), 'sql')).toBeNull();
  });
});
