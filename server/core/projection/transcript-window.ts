import type { Message } from '@/server/contract/message';
import { isKnown } from './log-state-path';
import type { LogState, SessionState } from './state-shape';
import { projectTranscript, projectTranscriptPart } from './transcript';
import { type Page, type PageRequest, takePage } from './transcript-page';

/** Messages that belong to an item next to a page, such as the boundary behind it, and the call of its results. */
const MARGIN = 2;

/**
 * One page of a transcript: what `takePage` takes of the whole one, told from the items it shows alone (rel-S21). Each
 * item is one message, so a page never needs more of them than it may hold. Throws as `takePage` does.
 */
export function projectPage(state: SessionState, log: LogState, request: PageRequest): Page {
  const { items } = state;
  const anchor = request.before ?? request.after;
  const place = anchor === undefined ? items.length : findPlace(state, log, anchor);
  if (place === null) return takePage(projectTranscript(state, log), request);
  const isBack = request.after === undefined;
  const from = Math.max(0, isBack ? place - request.limit - MARGIN : place - MARGIN);
  const to = Math.min(items.length, isBack ? place + MARGIN : place + request.limit + MARGIN);
  const messages = projectTranscriptPart(state, log, { from, to });
  // A note, an end of a turn or a line that cannot be read may stand anywhere: then all is looked at.
  if (anchor !== undefined && !messages.some(({ id }) => id === anchor))
    return takePage(projectTranscript(state, log), request);
  const page = takePage(messages, request);
  return { ...page, hasBefore: page.hasBefore || from > 0, hasAfter: page.hasAfter || to < items.length };
}

/** The whole transcript in parts of so many items, the first first. Each is told when it is asked for. */
export function* projectParts(state: SessionState, log: LogState, items: number): Generator<readonly Message[]> {
  const { length } = state.items;
  for (let from = 0; from === 0 || from < length; from += items)
    yield projectTranscriptPart(state, log, { from, to: Math.min(length, from + items) });
}

/** The messages of a transcript from the first of some on; at most those behind `MARGIN` items more. */
export function projectFrom(state: SessionState, log: LogState, ids: Iterable<string>): readonly Message[] {
  let from = state.items.length;
  for (const id of ids) from = Math.min(from, findPlace(state, log, id) ?? from);
  return projectTranscriptPart(state, log, { from: Math.max(0, from - MARGIN), to: state.items.length });
}

/** One message as the transcript has it; null where it has none of that id. */
export function projectMessage(state: SessionState, log: LogState, id: string): Message | null {
  const place = findPlace(state, log, id);
  const part = place === null ? null : { from: Math.max(0, place - MARGIN), to: place + MARGIN };
  const near = part === null ? [] : projectTranscriptPart(state, log, part);
  const isIt = (message: Message) => message.id === id;
  return near.find(isIt) ?? projectTranscript(state, log).find(isIt) ?? null;
}

/** The place of the item that a message is, or that it stands behind; null for what is named by no line. */
export function findPlace({ items }: SessionState, log: LogState, id: string): number | null {
  const point = findPoint(log, id);
  if (point === null) return null;
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((items.at(middle)?.point ?? 0) <= point) low = middle + 1;
    else high = middle;
  }
  return Math.max(0, low - 1);
}

function findPoint(log: LogState, id: string): number | null {
  const event = log.byId.get(id);
  if (!event || !isKnown(event)) return null;
  if (event.type === 'checkpoint.committed') return findPoint(log, event.covers.through);
  if (event.type !== 'message.user' || event.place === 'here') return event.seq;
  // One that waits stands at the end.
  return log.placedBy.get(id) ?? log.newestSeq;
}
