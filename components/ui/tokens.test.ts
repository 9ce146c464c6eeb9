import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

/** The contrast the design promises, computed from the very file the page uses. */
const css = readFileSync(new URL('./styles/tokens.css', import.meta.url), 'utf8');

type Triple = readonly [number, number, number];

function readToken(name: string): readonly [Triple, Triple] {
  const number = '([\\d.]+) ([\\d.]+) ([\\d.]+)';
  const found = new RegExp(`--${name}: light-dark\\(oklch\\(${number}\\), oklch\\(${number}\\)\\)`).exec(css);
  if (!found) throw new Error(`no token ${name}`);
  const [, a, b, c, d, e, f] = found.map(Number);
  return [
    [a ?? 0, b ?? 0, c ?? 0],
    [d ?? 0, e ?? 0, f ?? 0],
  ];
}

/** OKLCH to the relative luminance of WCAG, by the published matrices; channels clamped to sRGB. */
function luminance([lightness, chroma, hue]: Triple): number {
  const angle = (hue * Math.PI) / 180;
  const a = chroma * Math.cos(angle);
  const b = chroma * Math.sin(angle);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const clamp = (value: number) => Math.min(1, Math.max(0, value));
  const red = clamp(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s);
  const green = clamp(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s);
  const blue = clamp(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): readonly number[] {
  const first = readToken(one);
  const second = readToken(other);
  return [0, 1].map((theme) => {
    const pair = [first[theme], second[theme]]
      .map((colour) => luminance(colour ?? [0, 0, 0]))
      .toSorted((x, y) => y - x);
    return ((pair[0] ?? 0) + 0.05) / ((pair[1] ?? 0) + 0.05);
  });
}

const grounds = ['paper', 'sunken', 'raised'];
const texts = ['ink', 'ink-2', 'ink-3', 'accent', 'heather', 'warn', 'danger', 'ok'];
const ownWash = ['accent', 'heather', 'warn', 'danger', 'ok'];

describe('contrast of the tokens (ux 2.2)', () => {
  it('every text is 4.5:1 on paper, sunken, raised and its own wash, in both themes', () => {
    const pairs = [
      ...texts.flatMap((text) => grounds.map((ground) => [text, ground] as const)),
      ...ownWash.map((text) => [text, `${text}-wash`] as const),
      ['on-accent', 'accent'] as const,
      ['ink-3', 'code-wash'] as const,
      ['ink', 'word-added'] as const,
      ['ink', 'word-removed'] as const,
    ];
    const low = pairs.filter(([text, ground]) => contrast(text, ground).some((ratio) => ratio < 4.5));
    expect(low).toEqual([]);
  });

  it('control edges, dots and the focus ring are 3:1', () => {
    const pairs = ['line-strong', 'heather-line', 'live', 'focus'].flatMap((edge) =>
      grounds.map((ground) => [edge, ground] as const),
    );
    const low = pairs.filter(([edge, ground]) => contrast(edge, ground).some((ratio) => ratio < 3));
    expect(low).toEqual([]);
  });
});
