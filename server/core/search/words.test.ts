import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutSnippet } from './cut-snippet';
import { findWords, toPhrases, toSearchable } from './words';

describe('words that are looked for', () => {
  it('X9: letter case and accents make no difference, signs only part words', () => {
    expect(toSearchable('Café-Rechnung (ÄRGER!) run_turn.ts')).toBe('cafe rechnung arger run turn ts');
  });

  it('X9: of scripts without blanks every character is a word', () => {
    expect(toSearchable('東京で会う plan')).toBe('東 京 で 会 う plan');
    expect(toPhrases('東京')).toEqual([['東', '京']]);
  });

  it('X9: nothing in a query is an operator', () => {
    expect(toPhrases('"a OR* NEAR(b) -c:d ^e')).toEqual([['a'], ['or'], ['near', 'b'], ['c', 'd'], ['e']]);
    expect(toPhrases('" *** () 🦊')).toEqual([]);
  });

  it('law: each word stands where it says, in order', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        let at = 0;
        for (const { from, to } of findWords(text)) {
          expect(from).toBeGreaterThanOrEqual(at);
          expect(to).toBeGreaterThan(from);
          at = to;
        }
        expect(at).toBeLessThanOrEqual(text.length);
      }),
    );
  });
});

describe('a snippet', () => {
  const long = `${'before '.repeat(40)}the Anchor sits here ${'after '.repeat(60)}`;

  it('X9: is one line around the first match, with what was left out marked', () => {
    const snippet = cutSnippet(long, [['anch']]);
    expect(snippet).toMatch(/^…before .*the Anchor sits here after .*…$/);
    expect(snippet.length).toBeLessThanOrEqual(162);
  });

  it('X9: a short text is shown whole, its lines joined', () => {
    expect(cutSnippet('one\n two\tthree', [['two']])).toBe('one two three');
  });

  it('X9: a match of the longest phrase goes before a chance match of a short one', () => {
    expect(cutSnippet(`is ${long}`, [['is'], ['anchor']])).toContain('Anchor');
  });

  it('X9: only the last word of the query may go on', () => {
    expect(cutSnippet(long, [['anch'], ['zzz']]).startsWith('before')).toBe(true);
  });

  it('law: never longer than it may be, never half a character', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 0, maxLength: 400 }), fc.string(), (text, query) => {
        const snippet = cutSnippet(text, toPhrases(query));
        expect(snippet.length).toBeLessThanOrEqual(162);
        expect(snippet.isWellFormed()).toBe(true);
      }),
    );
  });
});
