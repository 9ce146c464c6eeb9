import { z } from 'zod';

/** Bounded texts. Bounds are bytes of UTF-8, as everything in this product is measured. */

/** Bytes a text takes as UTF-8; a lone surrogate counts as the three bytes of its replacement. */
export function countBytes(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** Text of at most `maxBytes` bytes. UTF-16 units never outnumber bytes, so the cheap check refuses the huge first. */
export function boundedText(maxBytes: number) {
  return z
    .string()
    .max(maxBytes, `at most ${maxBytes} bytes`)
    .refine((text) => countBytes(text) <= maxBytes, `at most ${maxBytes} bytes`);
}

/** Like `boundedText`, and it must say something: not empty, not only blanks. */
export function sayingText(maxBytes: number) {
  return boundedText(maxBytes)
    .min(1, 'must not be empty')
    .refine((text) => text.trim() !== '', 'must not be blank');
}

/** One line a person gives something: no control characters, no line breaks. */
export function nameText(maxBytes: number) {
  return sayingText(maxBytes).regex(/^[^\p{Cc}\u2028\u2029]*$/u, 'one line without control characters');
}

/** The whole JSON body is bounded at 1 MB; a single text cannot be larger. */
export const maxBodyBytes = 1_000_000;
/** Nesting of a JSON body. */
export const maxBodyDepth = 64;
