import { measureText } from '@/server/core/budget/measure';
import { type EntryFacts, toEntry } from './model-view-entries';
import type { ViewGroup } from './model-view-groups';
import type { ViewEntry } from './model-view-shape';
import { toLeftOutText } from './view-texts';

/** Counts what a trim dropped while a view is put together, and writes the one entry that says so. */
export class LeftOutTally {
  #trips = 0;
  #replies = 0;
  #messages = 0;
  #first: number | null = null;
  #last: number | null = null;
  #itemIds: string[] = [];
  #summaryThrough: number | null = null;
  #place: number | null = null;

  /** `place`: index at which the first thing left out would have stood. */
  addGroup(group: ViewGroup, place: number): void {
    this.#place ??= place;
    if (group.kind === 'message') this.#messages += 1;
    else if (isTrip(group)) this.#trips += 1;
    else this.#replies += 1;
    for (const item of itemsOf(group)) {
      this.#first = Math.min(this.#first ?? item.number, item.number);
      this.#last = Math.max(this.#last ?? item.number, item.number);
      this.#itemIds.push(item.id);
    }
  }

  addSummary(throughNumber: number, place: number): void {
    this.#place ??= place;
    this.#summaryThrough = throughNumber;
  }

  /** The entry as it stands now; null where nothing was left out. */
  toEntry(): ViewEntry | null {
    const text = this.#toText();
    if (text === null) return null;
    const facts: EntryFacts = { kind: 'dropped', itemIds: [...this.#itemIds], note: null, turnId: null };
    return toEntry({ role: 'user', parts: [{ type: 'text', text }] }, facts);
  }

  /** The measure of that entry, or 0. */
  toBytes(): number {
    const text = this.#toText();
    return text === null ? 0 : measureText(text);
  }

  #toText(): string | null {
    if (this.#place === null) return null;
    return toLeftOutText({
      trips: this.#trips,
      replies: this.#replies,
      messages: this.#messages,
      first: this.#first,
      last: this.#last,
      summaryThrough: this.#summaryThrough,
    });
  }

  insertInto(entries: readonly ViewEntry[]): readonly ViewEntry[] {
    const entry = this.toEntry();
    return entry === null || this.#place === null ? entries : entries.toSpliced(this.#place, 0, entry);
  }
}

/** A reply with calls, or a result that has lost its call: what pass 2 of a trim takes. */
export function isTrip(group: ViewGroup): boolean {
  return group.kind === 'orphan' || (group.kind === 'reply' && group.calls.length > 0);
}

function itemsOf(group: ViewGroup): readonly { readonly number: number; readonly id: string }[] {
  if (group.kind !== 'reply') return [group.item];
  return [group.item, ...group.calls.flatMap(({ result }) => (result === null ? [] : [result]))];
}
