import { EVENT_DEFINITIONS, type LogEvent, type StoredEvent } from '@/server/contract/events/event';
import type { Part } from '@/server/contract/shapes';
import { prepareDraft } from '@/server/core/log/encode-line-draft';
import { type NewEvent, stampEvents } from '@/server/core/log/new-event';
import { deepFreeze } from './deep-freeze';
import { appendToLog, emptyLogState } from './log-state';
import { foldSession } from './session-state';
import type { LogState, SessionState } from './state-shape';

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const firstMs = Date.UTC(2026, 0, 1);

/** The n-th id of a built log: sortable, valid, the same in every run. */
export function builtId(n: number): string {
  let text = '';
  for (let rest = n; rest > 0; rest = Math.floor(rest / 32)) text = `${ALPHABET[rest % 32]}${text}`;
  return `01K${text.padStart(23, '0')}`;
}

/** The time of the n-th line of a built log: one second a line from 2026-01-01. */
export function builtAt(n: number): string {
  return new Date(firstMs + n * 1000).toISOString();
}

/**
 * Writes a log event by event, as the one writer would: assigned `seq`, linked `prev`, ids and times the same in
 * every run. The verbs stand in `log-builder-verbs`; this is what they write with. Every event passes its schema,
 * or `append` throws: a built log is a possible log.
 */
export class LogDesk {
  #log: LogState = emptyLogState();
  #events: readonly LogEvent[] = [];
  #ids = 0;
  #branch = '';

  nextId(): string {
    this.#ids += 1;
    return builtId(this.#ids);
  }

  get log(): LogState {
    return this.#log;
  }

  get events(): readonly LogEvent[] {
    return this.#events;
  }

  get branch(): string {
    return this.#branch;
  }

  get head(): number | null {
    return this.#log.branches.get(this.#branch)?.head ?? null;
  }

  get state(): SessionState {
    return deepFreeze(foldSession(this.#log, this.#branch));
  }

  goTo(branch: string): void {
    this.#branch = branch;
  }

  /** Appends to the current branch and answers with the event as it stands in the log. */
  append(event: NewEvent): StoredEvent {
    return this.appendAt(event, this.head);
  }

  /** As `append`, following another line than the head; null for none. */
  appendAt(event: NewEvent, prev: number | null): StoredEvent {
    const seq = this.#log.newestSeq + 1;
    const stamp = { branch: this.#branch, logId: this.#log.logId || this.#branch, head: prev, at: builtAt(seq) };
    const [draft] = stampEvents([event], { ...stamp, nextId: () => this.nextId() });
    const prepared = draft ? prepareDraft(draft) : undefined;
    if (prepared?.kind !== 'ready') throw new TypeError(`not a valid ${event.type}: ${JSON.stringify(event)}`);
    const stored = deepFreeze(prepared.draft.place({ seq, prev }).event);
    this.#hold(stored);
    return stored;
  }

  /** As `append`, for a type that the compiler does not know; the schema judges. */
  appendFields(type: NewEvent['type'], fields: object): void {
    const event = { ...fields, type };
    if (!isNewEvent(event)) throw new TypeError(`not a valid ${type}: ${JSON.stringify(fields)}`);
    this.append(event);
  }

  /** A line of a newer version, as a reader would hand it on. */
  appendUnknown(fields: { readonly prev?: number | null }): void {
    const seq = this.#log.newestSeq + 1;
    const envelope = { v: 2, seq, id: this.nextId(), branch: this.#branch, at: builtAt(seq), type: 'future.thing' };
    this.#hold(deepFreeze({ ...envelope, ...fields, unknown: true, raw: { ...envelope, ...fields } }));
  }

  #hold(event: LogEvent): void {
    this.#log = appendToLog(this.#log, event);
    this.#events = [...this.#events, event];
  }
}

function isNewEvent(event: { readonly type: NewEvent['type'] }): event is NewEvent {
  return EVENT_DEFINITIONS[event.type].fields.safeParse(withoutEnvelope(event)).success;
}

function withoutEnvelope(event: object): object {
  const { type: _type, id: _id, ...fields } = { type: null, id: null, ...event };
  return fields;
}

export const builtHash = '0'.repeat(64);

/** Bytes of a content as `contract.md` 7 measures it, near enough for a built log. */
export function builtBytes(parts: readonly Part[]): number {
  return parts.reduce((sum, part) => sum + 160 + new TextEncoder().encode(JSON.stringify(part)).length, 0);
}
