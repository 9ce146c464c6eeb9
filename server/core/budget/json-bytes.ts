/** Bytes of UTF-8; a lone surrogate counts as the three bytes of its replacement. No allocation, unlike an encoder. */
export function utf8Bytes(text: string): number {
  return Buffer.byteLength(text, 'utf8');
}

/** Whatever JSON escapes, or UTF-8 spends more than one byte on. */
const COSTLY = /[^\x20\x21\x23-\x5b\x5d-\x7f]/;

/**
 * Bytes of UTF-8 that `text` takes as a JSON string, its quotes included. Writing it out is the fastest way to count
 * (measured against loops over its characters); plain ASCII needs not even that.
 */
export function jsonStringBytes(text: string): number {
  return COSTLY.test(text) ? utf8Bytes(JSON.stringify(text)) : text.length + 2;
}

/** JSON text of any value; what JSON cannot say (undefined, a function) is the empty object's. */
export function toJson(value: unknown): string {
  return JSON.stringify(value) ?? '{}';
}
