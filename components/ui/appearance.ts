import { z } from 'zod';

/** How the interface looks on one device. Kept in a cookie, so the first painted frame is already right. */
export const appearanceSchema = z.object({
  theme: z.enum(['system', 'light', 'dark']),
  contrast: z.enum(['system', 'more']),
  density: z.enum(['comfortable', 'compact']),
  /** Size of message text in px at a root of 16. */
  reading: z.enum(['15', '16', '18', '20']),
  /** Width of the rails in rem. */
  sessionsRail: z.number().min(13).max(30),
  deskRail: z.number().min(16).max(40),
});

export type Appearance = z.infer<typeof appearanceSchema>;

export const defaultAppearance: Appearance = {
  theme: 'system',
  contrast: 'system',
  density: 'comfortable',
  reading: '16',
  sessionsRail: 17,
  deskRail: 20,
};

export const appearanceCookie = 'tidemark_appearance';

/** Reads the cookie's value. Each field that does not parse takes its default, so one bad field costs only itself. */
export function parseAppearance(value: string | undefined): Appearance {
  if (value === undefined) return defaultAppearance;
  const stored = parseStored(value);
  const kept = Object.entries(appearanceSchema.shape).flatMap(([key, schema]) => {
    const parsed = schema.safeParse(stored[key]);
    return parsed.success ? [[key, parsed.data] as const] : [];
  });
  return appearanceSchema.parse({ ...defaultAppearance, ...Object.fromEntries(kept) });
}

function parseStored(value: string): Record<string, unknown> {
  try {
    return z.record(z.string(), z.unknown()).parse(JSON.parse(decodeURIComponent(value)));
  } catch {
    return {};
  }
}

export function serialiseAppearance(appearance: Appearance): string {
  return encodeURIComponent(JSON.stringify(appearance));
}

/** The attributes of the root element; a setting left to the system has none. */
export function rootAttributes(appearance: Appearance): Readonly<Record<`data-${string}`, string | undefined>> {
  return {
    'data-theme': appearance.theme === 'system' ? undefined : appearance.theme,
    'data-contrast': appearance.contrast === 'system' ? undefined : appearance.contrast,
    'data-density': appearance.density === 'comfortable' ? undefined : appearance.density,
    'data-reading': appearance.reading === '16' ? undefined : appearance.reading,
  };
}

/** The rails' widths as a rule, for a style element with the page's nonce: a style attribute would be refused by the policy. */
export function rootRule(appearance: Appearance): string {
  return `:root{--rail-sessions:${appearance.sessionsRail}rem;--rail-desk:${appearance.deskRail}rem}`;
}
