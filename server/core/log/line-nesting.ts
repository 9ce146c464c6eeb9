/** How deep a line nests, told from its bytes before anything parses it (`contract.md` 1, rel-S22). */

const quote = 0x22;
const backslash = 0x5c;
const openings = [0x5b, 0x7b];
const closings = [0x5d, 0x7d];

/** True when brackets outside of strings nest deeper than `limit`. Never recurses; one pass at most. */
export function nestsDeeperThan(bytes: Uint8Array, limit: number): boolean {
  return !hasFewOpenings(bytes, limit) && scansDeeperThan(bytes, limit);
}

/** Most lines hold fewer brackets than the limit, and counting them runs at the speed of memory. */
function hasFewOpenings(bytes: Uint8Array, limit: number): boolean {
  let left = limit;
  for (const opening of openings) {
    for (let at = bytes.indexOf(opening); at >= 0; at = bytes.indexOf(opening, at + 1)) {
      left -= 1;
      if (left < 0) return false;
    }
  }
  return true;
}

function scansDeeperThan(bytes: Uint8Array, limit: number): boolean {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    if (inString) {
      if (byte === backslash) at += 1;
      else if (byte === quote) inString = false;
    } else if (byte === quote) inString = true;
    else if (openings.includes(byte)) {
      depth += 1;
      if (depth > limit) return true;
    } else if (closings.includes(byte)) depth -= 1;
  }
  return false;
}
