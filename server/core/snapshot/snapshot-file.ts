import { createHash } from 'node:crypto';
import { LINE_TYPES } from './line-rows';
import { type Snapshot, snapshotSchema } from './snapshot-shape';

const HEAD = 'tidemark-snapshot ';
const SUM_LENGTH = 64;

/** A snapshot as the bytes of its file: a SHA-256 of the rest stands first. */
export function encodeSnapshot(snapshot: Snapshot): Uint8Array {
  const body = JSON.stringify(snapshot);
  return Buffer.from(`${HEAD}${sumOf(body)}\n${body}`);
}

/**
 * The snapshot that bytes hold; null for anything else: half written, changed by a bit, of another log or another
 * release (rel-S17). Nobody has to know why: the log itself says everything again.
 */
export function decodeSnapshot(bytes: Uint8Array, logId: string): Snapshot | null {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const bodyAt = HEAD.length + SUM_LENGTH + 1;
  if (text.length <= bodyAt || text.toString('latin1', 0, HEAD.length) !== HEAD) return null;
  const body = text.toString('utf8', bodyAt);
  if (text.toString('latin1', HEAD.length, bodyAt - 1) !== sumOf(body)) return null;
  const parsed = snapshotSchema.safeParse(parseJson(body));
  if (!parsed.success || parsed.data.logId !== logId || parsed.data.types !== LINE_TYPES.join(' ')) return null;
  return parsed.data;
}

/** SHA-256 of bytes in hex: what the end of a log is known by. */
export function sumOf(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
