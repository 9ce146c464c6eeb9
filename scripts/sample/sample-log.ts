import { createHash } from 'node:crypto';
import type { StoredEvent } from '@/server/contract/events/event';
import { createIds } from '@/server/core/ids';
import { placeDrafts } from '@/server/core/log/encode-line-batch';
import { prepareDraft } from '@/server/core/log/encode-line-draft';
import { type NewEvent, stampEvents } from '@/server/core/log/new-event';
import { appendToLog, emptyLogState } from '@/server/core/projection/log-state';
import { foldSession } from '@/server/core/projection/session-state';
import type { LogState, SessionState } from '@/server/core/projection/state-shape';

/** The log of the sample while it is written: the same stamping, encoding and replay as the server's. */
export class SampleLog {
  readonly branch: string;
  #nowMs: number;
  #log: LogState = emptyLogState();
  #lines = '';
  #drawn = 0;
  readonly #ids: { next(): string };

  /** `start` is an ISO time; ids and bytes follow from it and from the order of events alone. */
  constructor(start: string) {
    this.#nowMs = Date.parse(start);
    this.#ids = createIds({ clock: { now: () => this.#nowMs }, drawBytes: (count) => this.#draw(count) });
    this.branch = this.#ids.next();
  }

  readonly nextId = (): string => this.#ids.next();

  /** Nothing in a log is before what was written earlier. */
  setTime(iso: string): void {
    const ms = Date.parse(iso);
    if (!(ms > this.#nowMs)) throw new Error(`the story goes back in time at ${iso}`);
    this.#nowMs = ms;
  }

  pass(ms: number): void {
    this.#nowMs += Math.round(ms);
  }

  append(events: readonly NewEvent[]): readonly StoredEvent[] {
    const head = this.#log.branches.get(this.branch)?.head ?? null;
    const at = new Date(this.#nowMs).toISOString();
    const drafts = stampEvents(events, { branch: this.branch, logId: this.branch, head, at, nextId: this.nextId });
    const prepared = drafts.map((draft) => {
      const preparation = prepareDraft(draft);
      if (preparation.kind === 'refused') throw new Error(`${draft.type} was refused: ${preparation.why}`);
      return preparation.draft;
    });
    const batch = placeDrafts(prepared, {
      nextSeq: this.#log.newestSeq + 1,
      seqOf: (id) => this.#log.byId.get(id)?.seq,
    });
    if (batch.kind === 'missing') throw new Error(`no line ${batch.id}`);
    for (const { event, line } of batch.events) {
      this.#log = appendToLog(this.#log, event);
      this.#lines += line;
    }
    return batch.events.map(({ event }) => event);
  }

  get session(): SessionState {
    return foldSession(this.#log, this.branch);
  }

  get text(): string {
    return this.#lines;
  }

  #draw(count: number): Uint8Array {
    this.#drawn += 1;
    return createHash('sha256').update(`sample ${this.#drawn}`).digest().subarray(0, count);
  }
}
