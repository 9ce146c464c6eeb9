import { describe, expect, it } from 'vitest';
import { defaultAppearance, parseAppearance, rootAttributes, rootRule, serialiseAppearance } from './appearance';

describe('the look of a device', () => {
  it('comes back from its cookie', () => {
    const dark = { ...defaultAppearance, theme: 'dark', contrast: 'more', sessionsRail: 20.25 } as const;
    expect(parseAppearance(serialiseAppearance(dark))).toEqual(dark);
  });

  it('loses only the fields that are not readable', () => {
    const cookie = encodeURIComponent(JSON.stringify({ theme: 'dark', density: 'tight', deskRail: 999 }));
    expect(parseAppearance(cookie)).toEqual({ ...defaultAppearance, theme: 'dark' });
    expect([undefined, '', '%', '[]', '"x"'].map(parseAppearance)).toEqual(Array(5).fill(defaultAppearance));
  });

  it('rel-X9: a forged cookie puts nothing of its own into the page', () => {
    const forged = encodeURIComponent(JSON.stringify({ theme: '"><script>', sessionsRail: '1rem}body{display:none' }));
    const appearance = parseAppearance(forged);
    expect(rootAttributes(appearance)['data-theme']).toBeUndefined();
    expect(rootRule(appearance)).toBe(':root{--rail-sessions:17rem;--rail-desk:20rem}');
  });
});
