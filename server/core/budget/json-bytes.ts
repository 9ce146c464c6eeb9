/** Bytes of UTF-8; a lone surrogate counts as the three bytes of its replacement. No allocation, unlike an encoder. */
export function utf8Bytes(text: string): number {
  return Buffer.byteLength(text, 'utf8');
}

/** Bytes of UTF-8 that `text` takes as a JSON string, its quotes included. */
export function jsonStringBytes(text: string): number {
  return utf8Bytes(JSON.stringify(text));
}

/** JSON text of any value; what JSON cannot say (undefined, a function) is the empty object's. */
export function toJson(value: unknown): string {
  return JSON.stringify(value) ?? '{}';
}
