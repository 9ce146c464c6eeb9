/** The fields of `next` that differ from `before`, by value. A field that `next` no longer has is there as `undefined`. */
export function changedFields<Content extends object>(before: Content, next: Content): Partial<Content> {
  const changed: Partial<Content> = {};
  for (const key of Object.keys({ ...before, ...next })) {
    if (!isKeyOf(key, before, next)) continue;
    if (JSON.stringify(before[key]) !== JSON.stringify(next[key])) changed[key] = next[key];
  }
  return changed;
}

function isKeyOf<Content extends object>(key: string, before: Content, next: Content): key is keyof Content & string {
  return key in before || key in next;
}
