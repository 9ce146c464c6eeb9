import { z } from 'zod';
import { ULID_PATTERN } from './ids';

/** Where a stream resumes (`contract.md` 16): `<sessionId>:<seq>` as SSE id, `A@120,B@7` as start of each session. */

export interface Cursor {
  readonly sessionId: string;
  readonly seq: number;
}

/** A session to follow; `after` null: from now, without a look back. */
export interface StreamStart {
  readonly sessionId: string;
  readonly after: number | null;
}

/** One stream is a whole browser's; more open conversations than this are not on any screen. */
export const maxStreamSessions = 100;

/** Decimal, no sign, no leading zero but `0` itself, and exactly representable. */
function parseSeq(text: string): number | null {
  if (!/^(0|[1-9]\d{0,15})$/.test(text)) return null;
  const seq = Number(text);
  return Number.isSafeInteger(seq) ? seq : null;
}

/** The text of one place, as `parseCursor` reads it. */
export function formatCursor({ sessionId, seq }: Cursor): string {
  return `${sessionId}:${seq}`;
}

/** Null for anything that is no cursor of this grammar; whether it is the caller's and not of the future is asked later. */
export function parseCursor(text: string): Cursor | null {
  const colon = text.indexOf(':');
  if (colon === -1) return null;
  const sessionId = text.slice(0, colon);
  const seq = parseSeq(text.slice(colon + 1));
  return ULID_PATTERN.test(sessionId) && seq !== null && seq > 0 ? { sessionId, seq } : null;
}

/** The list of `?sessions=`, as `parseStreamStarts` reads it. */
export function formatStreamStarts(starts: readonly StreamStart[]): string {
  return starts.map(({ sessionId, after }) => (after === null ? sessionId : `${sessionId}@${after}`)).join(',');
}

function parseStart(text: string): StreamStart | null {
  const [sessionId = '', seqText, ...rest] = text.split('@');
  if (!ULID_PATTERN.test(sessionId) || rest.length > 0) return null;
  if (seqText === undefined) return { sessionId, after: null };
  const after = parseSeq(seqText);
  return after === null ? null : { sessionId, after };
}

/** The list of `?sessions=`. Empty text is an empty list; a session named twice or one too many is null, as is any slip. */
export function parseStreamStarts(text: string): readonly StreamStart[] | null {
  if (text === '') return [];
  const pieces = text.split(',', maxStreamSessions + 1);
  if (pieces.length > maxStreamSessions) return null;
  const starts: StreamStart[] = [];
  const seen = new Set<string>();
  for (const piece of pieces) {
    const start = parseStart(piece);
    if (start === null || seen.has(start.sessionId)) return null;
    seen.add(start.sessionId);
    starts.push(start);
  }
  return starts;
}

export const eventsQuerySchema = z.strictObject({
  sessions: z.string().max(5_000).optional(),
  /** For clients that cannot send the header. */
  lastEventId: z.string().max(60).optional(),
});
