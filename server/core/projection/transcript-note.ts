import { createHash } from 'node:crypto';
import type { LogEvent, StoredEvent } from '@/server/contract/events/event';
import { ULID_PATTERN } from '@/server/contract/ids';
import type { NoteMessage } from '@/server/contract/message';

/** What a turn says that did not simply finish, when its own event has no words. */
const TURN_WORDS = {
  finished: 'The reply ended here.',
  failed: 'The reply failed.',
  cancelled: 'Stopped.',
  interrupted: 'The server stopped while this ran. What had arrived is kept.',
} as const;

const STEP_LIMIT_WORDS = 'All steps of this turn were used; this last reply was asked for without tools.';

interface NoteFacts {
  readonly kind: NoteMessage['metadata']['kind'];
  readonly text: string;
  readonly data?: unknown;
  readonly turnId?: string | null;
  readonly turn?: NoteMessage['metadata']['turn'];
}

function toMessage(
  event: { readonly id: string; readonly seq: number; readonly at: string },
  facts: NoteFacts,
): NoteMessage {
  const { kind, text, data = null, turnId = null, turn = null } = facts;
  return {
    id: event.id,
    seq: event.seq,
    at: event.at,
    role: 'note',
    parts: text === '' ? [] : [{ type: 'text', text }],
    metadata: { kind, turnId, data, turn },
  };
}

/** A note of the log as a message of the transcript. */
export function toNote(event: StoredEvent<'note'>, turnId: string | null): NoteMessage {
  return toMessage(event, { kind: event.kind, text: event.text, data: event.data ?? null, turnId });
}

/** The end of a turn that did not simply finish, where it ended; null for one that did (T3, T4). */
export function toTurnEnd(event: StoredEvent<'turn.ended'>): NoteMessage | null {
  const { outcome, code, detail, steps, turnId } = event;
  if (outcome === 'finished' && code === null) return null;
  const words = code === 'step_limit' ? STEP_LIMIT_WORDS : TURN_WORDS[outcome];
  return toMessage(event, {
    kind: 'turn_ended',
    text: event.text ?? words,
    turnId,
    turn: { outcome, code, detail, steps },
  });
}

/** A line that this release cannot read, or that broke a rule and does not count: drawn, never dropped. */
export function toUnreadable(event: LogEvent, violation: string | null): NoteMessage {
  const isNewer = 'unknown' in event;
  const text = isNewer
    ? 'Made by a newer version; it cannot be shown here.'
    : 'This line could not be read and does not count.';
  const id = ULID_PATTERN.test(event.id) ? event.id : derivedId(`line ${event.seq}`);
  return toMessage({ ...event, id }, { kind: 'unreadable', text, data: { type: event.type, rule: violation } });
}

/** Where lines of the path are lost to damage; it stands before the line that named them. */
export function toLost(event: LogEvent, lostSeq: number): NoteMessage {
  const place = { id: derivedId(`lost ${lostSeq} ${event.branch}`), seq: lostSeq, at: event.at };
  return toMessage(place, { kind: 'unreadable', text: 'Lines of the log are damaged here.', data: { seq: lostSeq } });
}

const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** An id for what has none in the log; the same for the same line, and no event's. */
function derivedId(text: string): string {
  const bytes = [...createHash('sha256').update(text).digest()];
  return `7${bytes
    .slice(0, 25)
    .map((byte) => DIGITS[byte % 32])
    .join('')}`;
}
