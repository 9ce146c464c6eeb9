import type { ViewImage, ViewMessage } from '@/server/core/projection/view-message';

/** `[Image left out: name, 640×480, 81 kB, item 9]` (contract 10). */
export function toImageText(image: ViewImage): string {
  const item = image.item === null ? '' : `, item ${image.item}`;
  return `[Image left out: ${image.name}, ${image.width}×${image.height}, ${Math.max(1, Math.round(image.bytes / 1_000))} kB${item}]`;
}

/** The images a request may carry: the newest whose data fits the limit together; the oldest become text first (case-B08). */
export function chooseImages(entries: readonly ViewMessage[], limitBytes: number): ReadonlySet<ViewImage> {
  const chosen = new Set<ViewImage>();
  let used = 0;
  const all = entries.flatMap((entry) =>
    entry.role === 'user' ? entry.parts.filter((part) => part.type === 'image') : [],
  );
  for (const image of all.reverse()) {
    used += image.bytes;
    if (used > limitBytes) break;
    chosen.add(image);
  }
  return chosen;
}
