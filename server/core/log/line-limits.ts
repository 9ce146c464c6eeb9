/** Version that new lines carry. Absent or 0 is version 0: other systems and older releases (`contract.md` 1). */
export const CURRENT_VERSION = 1;

/** Longest line in bytes, without its newline. A longer one is damage when read and refused when written. */
export const MAX_LINE_BYTES = 64 * 1024 * 1024;

/** Deepest nesting of a line; the line's own braces are the first level. */
export const MAX_NESTING = 64;

/** `,"c":"1a2b3c4d"}`: the fixed-width end of a line. */
export const TRAILER_BYTES = 16;
