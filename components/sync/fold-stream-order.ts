import type { Message } from '@/server/contract/message';

function isQueued(message: Message): boolean {
  return message.role === 'user' && message.metadata.queued;
}

/** Equal for every reader: a durable event that comes a second time must not make anything draw again. */
export function sameMessage(a: Message, b: Message): boolean {
  return a === b || (a.seq === b.seq && JSON.stringify(a) === JSON.stringify(b));
}

/** Where a new message belongs: a summary right after the last one it stands in for, a waiting one last, all else by its line. */
function placeOf(messages: readonly Message[], message: Message): number {
  if (isQueued(message)) return messages.length;
  if (message.role === 'summary') {
    const through = messages.findIndex((other) => other.id === message.metadata.summary_through);
    if (through !== -1) return through + 1;
  }
  // A summary stands before lines that are older than its own, so its number says nothing about its neighbours.
  const before = messages.findLastIndex(
    (other) => !isQueued(other) && other.role !== 'summary' && other.seq < message.seq,
  );
  if (before !== -1) return pastBoundaries(messages, before + 1, message.seq);
  const first = messages.findIndex((other) => isQueued(other) || other.seq > message.seq);
  return first === -1 ? messages.length : first;
}

function pastBoundaries(messages: readonly Message[], from: number, seq: number): number {
  let place = from;
  for (let other = messages[place]; other?.role === 'summary' && other.seq < seq; other = messages[place]) place += 1;
  return place;
}

/** The list with one message in its place: replaced where it stands, moved when it was waiting, else put where it belongs. */
export function placeMessage(messages: readonly Message[], message: Message): readonly Message[] {
  const at = messages.findIndex((other) => other.id === message.id);
  const held = messages[at];
  if (held && isQueued(held) === isQueued(message)) return messages.with(at, message);
  const rest = held ? messages.filter((other) => other.id !== message.id) : messages;
  const place = placeOf(rest, message);
  return [...rest.slice(0, place), message, ...rest.slice(place)];
}

/** A page joined to what is held; the page wins. Without any overlap the newest page stands alone, so no hole is drawn over. */
export function splicePage(
  held: readonly Message[],
  page: readonly Message[],
  at: 'newest' | 'before',
): readonly Message[] {
  const ids = new Set(page.map((message) => message.id));
  if (at === 'before') return [...page, ...held.filter((message) => !ids.has(message.id))];
  const from = held.findIndex((message) => ids.has(message.id) && !isQueued(message));
  return from === -1 ? page : [...held.slice(0, from), ...page];
}
