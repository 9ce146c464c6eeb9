import { ULID_PATTERN } from '@/server/contract/ids';

/** Crockford base 32 in ASCII order, so that ids compare as text. */
const digits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const timeDigits = 10;
const randomDigits = 16;
const maxTimeMs = 2 ** 48 - 1;

/** Random bytes one step takes; 80 bits are what an id holds. */
export const RANDOM_BYTES = 10;

export interface IdStep {
  /** The newest id made or seen, null before the first. */
  readonly newest: string | null;
  readonly nowMs: number;
  /** At least `RANDOM_BYTES` of them. */
  readonly random: Uint8Array;
}

/**
 * The id after `newest` (`contract.md` 1): its time part is the later of the clock and that of `newest`, so
 * ids grow even when the clock jumps back (rel-S19). Within one millisecond the random part counts up; when it
 * would run over, the time part moves on instead.
 */
export function stepId({ newest, nowMs, random }: IdStep): string {
  const newestMs = newest === null ? -1 : readTimeMs(newest);
  if (newest === null || nowMs > newestMs) return writeTime(nowMs) + writeRandom(random);
  const counted = countUp(newest.slice(timeDigits));
  return counted === null ? writeTime(newestMs + 1) + writeRandom(random) : newest.slice(0, timeDigits) + counted;
}

/** Milliseconds since the epoch that an id's time part says. */
export function readTimeMs(id: string): number {
  return [...id.slice(0, timeDigits)].reduce((ms, digit) => ms * 32 + digits.indexOf(digit), 0);
}

function writeTime(ms: number): string {
  if (ms > maxTimeMs) throw new RangeError('no id can carry a time this late');
  let left = Math.max(0, Math.floor(ms));
  let text = '';
  for (let index = 0; index < timeDigits; index += 1) {
    text = digits.charAt(left % 32) + text;
    left = Math.floor(left / 32);
  }
  return text;
}

function writeRandom(random: Uint8Array): string {
  let bits = 0n;
  for (const byte of random.subarray(0, RANDOM_BYTES)) bits = (bits << 8n) | BigInt(byte);
  let text = '';
  for (let index = 0; index < randomDigits; index += 1) {
    text = digits.charAt(Number(bits & 31n)) + text;
    bits >>= 5n;
  }
  return text;
}

/** Null when every digit is the last one. */
function countUp(text: string): string | null {
  for (let at = text.length - 1; at >= 0; at -= 1) {
    const value = digits.indexOf(text.charAt(at));
    if (value < 31) return text.slice(0, at) + digits.charAt(value + 1) + '0'.repeat(text.length - at - 1);
  }
  return null;
}

export interface IdSource {
  readonly clock: { now(): number };
  /** As many random bytes as asked for; the process hands in the system's. */
  readonly drawBytes: (count: number) => Uint8Array;
}

/** The generator of a process; there is one, so that all its ids sort (the port `Ids`). */
export function createIds({ clock, drawBytes }: IdSource): { next(): string; seen(id: string): void } {
  let newest: string | null = null;
  return {
    next() {
      newest = stepId({ newest, nowMs: clock.now(), random: drawBytes(RANDOM_BYTES) });
      return newest;
    },
    seen(id) {
      if (ULID_PATTERN.test(id) && (newest === null || id > newest)) newest = id;
    },
  };
}
