import type { Message } from '@/server/contract/message';

/** Where one can go to: items that are placed, and summaries in force on the path (contract 2). */
function isPoint(message: Message): boolean {
  if (message.role === 'user') return !message.metadata.queued;
  if (message.role === 'summary') return !message.metadata.reverted;
  return message.role === 'assistant' || message.role === 'tool';
}

function newestOf(messages: readonly Message[]): Message | null {
  return messages
    .filter(isPoint)
    .reduce<Message | null>((best, one) => (best && best.seq > one.seq ? best : one), null);
}

/**
 * The point just before a message. Of one of a person the server says it, a plan by hand that stood before it included (L5).
 * Otherwise by its line, not by its place, since a summary stands further up than it was made.
 * Null: the message is the first of its conversation. Undefined: what comes before it is not held.
 */
export function pointBefore(
  held: { readonly messages: readonly Message[]; readonly hasBefore: boolean },
  messageId: string,
): string | null | undefined {
  const message = held.messages.find((one) => one.id === messageId);
  if (!message) return undefined;
  if (message.role === 'user' && message.metadata.follows !== undefined) return message.metadata.follows;
  const before = newestOf(held.messages.filter((one) => one.seq < message.seq));
  return before?.id ?? (held.hasBefore ? undefined : null);
}

/** The newest point of the path that is shown; null where nothing was said yet. */
export function newestPoint(messages: readonly Message[]): string | null {
  return newestOf(messages)?.id ?? null;
}

/** A reply with the results of its calls: the last item that belongs to it. */
export function lastItemOf(messages: readonly Message[], messageId: string): string {
  let last = messageId;
  for (const message of messages.slice(messages.findIndex((one) => one.id === messageId) + 1)) {
    if (message.role !== 'tool') break;
    last = message.id;
  }
  return last;
}

/** What the branches of the shown messages end in: what was left there is reached by their arrows. */
export function tipsShown(messages: readonly Message[]): ReadonlySet<string> {
  return new Set(
    messages.flatMap((message) => {
      const alternatives = 'alternatives' in message.metadata ? message.metadata.alternatives : undefined;
      return alternatives ? [...alternatives.ids, ...(alternatives.tips ?? [])] : [];
    }),
  );
}

export interface Shown {
  /** Messages that a summary covers and that a person put back into the model's view. */
  readonly ids: ReadonlySet<string>;
  readonly parts: number;
}

/** By the summary in force alone: what an older one showed again is not in force any more. */
export function findShownAgain(messages: readonly Message[]): Shown {
  const inForce = messages.findLast((one) => one.role === 'summary' && one.metadata.inForce && !one.metadata.reverted);
  const parts = inForce?.role === 'summary' ? (inForce.metadata.expanded ?? []) : [];
  const ids = new Set<string>();
  for (const { from, through } of parts) {
    const first = messages.findIndex((one) => one.id === from);
    const last = messages.findIndex((one) => one.id === through);
    for (const one of messages.slice(Math.max(first, 0), last + 1)) ids.add(one.id);
  }
  return { ids, parts: parts.length };
}
