import { crc32 } from 'node:zlib';
import { TRAILER_BYTES } from './line-limits';

/** The fixed-width end of a line: CRC-32 over every byte before it, checked without parsing (L6). */

const opening = [...',"c":"'].map((character) => character.charCodeAt(0));
const quote = 0x22;
const brace = 0x7d;

/** The trailer for a line's text so far, without the newline. */
export function trailerFor(text: string): string {
  return `,"c":"${crc32(text).toString(16).padStart(8, '0')}"}`;
}

/** What a trailer at `at` says the checksum is, or null when no trailer stands there. Lower-case hex only. */
export function readTrailer(bytes: Uint8Array, at: number): number | null {
  if (at < 0 || at + TRAILER_BYTES > bytes.length) return null;
  if (opening.some((byte, index) => bytes[at + index] !== byte)) return null;
  if (bytes[at + 14] !== quote || bytes[at + 15] !== brace) return null;
  let value = 0;
  for (let index = at + 6; index < at + 14; index += 1) {
    const digit = hexDigit(bytes[index] ?? 0);
    if (digit < 0) return null;
    value = value * 16 + digit;
  }
  return value;
}

function hexDigit(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  return byte >= 0x61 && byte <= 0x66 ? byte - 0x57 : -1;
}

/** Whether a line ends in a trailer, and whether it holds. */
export function checkTrailer(bytes: Uint8Array): 'good' | 'bad' | 'none' {
  const at = bytes.length - TRAILER_BYTES;
  const claimed = readTrailer(bytes, at);
  if (claimed === null) return 'none';
  return crc32(bytes.subarray(0, at)) === claimed ? 'good' : 'bad';
}
