/**
 * A size for people: `840 bytes`, `6.1 kB`, `212 kB`, `1.3 MB`. Thousands, not 1,024; one decimal under 100.
 * A blank that does not break stands between number and unit. Set it in `numbers` so columns align.
 */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes}\u00a0${bytes === 1 ? 'byte' : 'bytes'}`;
  const units = ['kB', 'MB', 'GB', 'TB'];
  let value = bytes / 1000;
  let unit = 0;
  while (roundFor(value) >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  const rounded = roundFor(value);
  return `${rounded < 100 ? rounded.toFixed(1).replace(/\.0$/, '') : rounded}\u00a0${units[unit]}`;
}

function roundFor(value: number): number {
  return value < 99.95 ? Math.round(value * 10) / 10 : Math.round(value);
}

/** A context window in tokens, as lists show it: `8k`, `200k`, `1M`. */
export function formatWindow(tokens: number | null | undefined): string {
  if (tokens === null || tokens === undefined) return 'window unknown';
  if (tokens < 1000) return `${tokens}`;
  if (tokens < 1_000_000) return `${Math.round(tokens / 1000)}k`;
  return `${(tokens / 1_000_000).toFixed(1).replace(/\.0$/, '')}M`;
}
