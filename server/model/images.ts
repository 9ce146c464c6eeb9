import type { ViewImage, ViewMessage } from '@/server/core/projection/view-message';

/** `[Image left out: name, 640×480, 81 kB, item 9]` (contract 10). */
export function toImageText(image: ViewImage): string {
  const item = image.item === null ? '' : `, item ${image.item}`;
  return `[Image left out: ${image.name}, ${image.width}×${image.height}, ${Math.max(1, Math.round(image.bytes / 1_000))} kB${item}]`;
}

/** Bytes of an image's data as it is sent: base64. */
function toSentBytes(image: ViewImage): number {
  return Math.ceil(image.bytes / 3) * 4;
}

/**
 * The images a request may carry: the newest whose data fits the limit together; the oldest become text first
 * (case-B08). One that is larger than the provider takes is left out by itself. Limits are bytes as sent.
 */
export function chooseImages(
  entries: readonly ViewMessage[],
  limits: { readonly limitBytes: number; readonly oneImageBytes: number },
): ReadonlySet<ViewImage> {
  const chosen = new Set<ViewImage>();
  let used = 0;
  const all = entries.flatMap((entry) =>
    entry.role === 'user' ? entry.parts.filter((part) => part.type === 'image') : [],
  );
  for (const image of all.reverse()) {
    const bytes = toSentBytes(image);
    if (bytes > limits.oneImageBytes) continue;
    used += bytes;
    if (used > limits.limitBytes) break;
    chosen.add(image);
  }
  return chosen;
}
