import { CURRENT_VERSION } from './line-limits';

/** A parsed line before its fields are checked. */
export type RawLine = Readonly<Record<string, unknown>>;

type Step = (line: RawLine, lineNumber: number) => RawLine;

/** `steps[n]` lifts a line of version `n` to `n + 1`; a release that raises the version adds one step. */
const steps: readonly Step[] = [fromVersion0];

/**
 * A line as the current version would have written it, one step a version. Lines of a newer version come
 * back as they are. `lineNumber` stands in for a `seq` that version 0 did not always write.
 */
export function upcast(line: RawLine, lineNumber: number): RawLine {
  let lifted = line;
  for (let version = versionOf(line); version < CURRENT_VERSION; version += 1) {
    const step = steps[version];
    if (step === undefined) return lifted;
    lifted = step(lifted, lineNumber);
  }
  return lifted;
}

/** Absent is 0; anything that is no version is as far from known as can be. */
export function versionOf(line: RawLine): number {
  const { v = 0 } = line;
  return typeof v === 'number' && Number.isInteger(v) && v >= 0 ? v : Number.POSITIVE_INFINITY;
}

/** Version 0 had neither version nor checksum, and its `seq` was the line it stood on. */
function fromVersion0(line: RawLine, lineNumber: number): RawLine {
  const { seq } = line;
  const known = typeof seq === 'number' && Number.isInteger(seq) && seq >= 1;
  return { ...line, v: 1, seq: known ? seq : lineNumber };
}
