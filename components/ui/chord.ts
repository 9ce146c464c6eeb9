export type Platform = 'apple' | 'other';

export type Chord = {
  readonly mod: boolean;
  readonly alt: boolean;
  readonly shift: boolean;
  /** `event.key` in lower case; ` ` for Space. */
  readonly key: string;
};

/** The part of a keyboard event that decides a match. */
export type KeyPress = {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
};

/** Reads `Mod+Shift+O`; a lone `+` is the plus key. */
export function parseChord(text: string): Chord {
  const parts = text === '+' ? ['+'] : text.split('+');
  const last = parts.at(-1) ?? '';
  const held = new Set(parts.slice(0, -1));
  return {
    mod: held.has('Mod'),
    alt: held.has('Alt'),
    shift: held.has('Shift'),
    key: last === 'Space' ? ' ' : last.toLowerCase(),
  };
}

/** True for letters, digits and signs typed alone: they must never fire while somebody types. */
export function isSingleLetter(chord: Chord): boolean {
  return !chord.mod && !chord.alt && chord.key.length === 1 && chord.key !== ' ';
}

/** Signs such as `?`, `+` and `/` need Shift on some layouts, so Shift decides only for letters and named keys. */
function shiftDecides(chord: Chord): boolean {
  return chord.key.length > 1 || /[a-z ]/.test(chord.key);
}

export function matchesChord(press: KeyPress, chord: Chord, platform: Platform): boolean {
  const mod = platform === 'apple' ? press.metaKey : press.ctrlKey;
  const foreign = platform === 'apple' ? press.ctrlKey : press.metaKey;
  if (press.key.toLowerCase() !== chord.key || mod !== chord.mod || foreign || press.altKey !== chord.alt) return false;
  return shiftDecides(chord) ? press.shiftKey === chord.shift : true;
}

/** The chord of a press, for re-binding; null while only modifiers are down. */
export function chordOf(press: KeyPress, platform: Platform): string | null {
  if (['Control', 'Shift', 'Alt', 'Meta'].includes(press.key)) return null;
  const mod = platform === 'apple' ? press.metaKey : press.ctrlKey;
  const key = press.key === ' ' ? 'Space' : press.key.length === 1 ? press.key.toUpperCase() : press.key;
  const letter = press.key.length > 1 || /[a-z ]/i.test(press.key);
  return [mod ? 'Mod' : '', press.altKey ? 'Alt' : '', press.shiftKey && letter ? 'Shift' : '', key]
    .filter(Boolean)
    .join('+');
}

const drawn: Readonly<Record<string, string>> = {
  ArrowUp: '↑',
  ArrowDown: '↓',
  PageUp: 'PgUp',
  PageDown: 'PgDn',
  Delete: 'Del',
  Escape: 'Esc',
};

/** The caps to draw for a chord, in the order they are held. */
export function capsOf(chord: string, platform: Platform): readonly string[] {
  if (chord === '+') return ['+'];
  return chord.split('+').map((part) => {
    if (part === 'Mod') return platform === 'apple' ? '⌘' : 'Ctrl';
    if (part === 'Alt' && platform === 'apple') return '⌥';
    return drawn[part] ?? part;
  });
}

/** The value of `aria-keyshortcuts`: alternatives by blanks, `Mod` said for both kinds of machine. */
export function toAriaKeys(chords: readonly string[]): string {
  return chords
    .flatMap((chord) =>
      chord.includes('Mod+') ? [chord.replace('Mod', 'Control'), chord.replace('Mod', 'Meta')] : [chord],
    )
    .map((chord) => (chord === '+' ? 'Plus' : chord))
    .join(' ');
}
