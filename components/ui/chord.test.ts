import { describe, expect, it } from 'vitest';
import { capsOf, chordOf, isSingleLetter, type KeyPress, matchesChord, parseChord, toAriaKeys } from './chord';

const press = (key: string, held: Partial<KeyPress> = {}): KeyPress => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  ...held,
});

describe('a chord', () => {
  it('ux 16: Mod is Ctrl on one machine and ⌘ on the other, never both', () => {
    const chord = parseChord('Mod+K');
    expect(matchesChord(press('k', { ctrlKey: true }), chord, 'other')).toBe(true);
    expect(matchesChord(press('k', { metaKey: true }), chord, 'apple')).toBe(true);
    expect(matchesChord(press('k', { metaKey: true }), chord, 'other')).toBe(false);
    expect(matchesChord(press('k', { metaKey: true, ctrlKey: true }), chord, 'apple')).toBe(false);
  });

  it('tells N from Shift+N, but takes ? however the layout types it', () => {
    expect(matchesChord(press('N', { shiftKey: true }), parseChord('N'), 'other')).toBe(false);
    expect(matchesChord(press('N', { shiftKey: true }), parseChord('Shift+N'), 'other')).toBe(true);
    expect(matchesChord(press('?', { shiftKey: true }), parseChord('?'), 'other')).toBe(true);
    expect(matchesChord(press('/', { shiftKey: true }), parseChord('/'), 'other')).toBe(true);
  });

  it('reads the plus key and Space, and knows which chords are single letters', () => {
    expect(parseChord('+').key).toBe('+');
    expect(parseChord('Space').key).toBe(' ');
    expect(['C', '/', '+', 'Shift+N'].map((text) => isSingleLetter(parseChord(text)))).toEqual([
      true,
      true,
      true,
      true,
    ]);
    expect(['F2', 'Mod+K', 'Space', 'Delete'].some((text) => isSingleLetter(parseChord(text)))).toBe(false);
  });

  it('records a press as the chord that matches it again', () => {
    for (const held of [
      press('k', { ctrlKey: true, shiftKey: true }),
      press('ArrowUp', { altKey: true }),
      press('?', { shiftKey: true }),
      press(' '),
    ]) {
      const chord = chordOf(held, 'other');
      expect(chord !== null && matchesChord(held, parseChord(chord), 'other')).toBe(true);
    }
    expect(chordOf(press('Shift', { shiftKey: true }), 'other')).toBeNull();
  });

  it('is drawn and announced for both kinds of machine', () => {
    expect(capsOf('Mod+Shift+O', 'apple')).toEqual(['⌘', 'Shift', 'O']);
    expect(capsOf('Alt+ArrowUp', 'other')).toEqual(['Alt', '↑']);
    expect(toAriaKeys(['Mod+/', '?'])).toBe('Control+/ Meta+/ ?');
    expect(toAriaKeys(['+'])).toBe('Plus');
  });
});
