import { AppError } from '@/server/contract/error';
import type { Message } from '@/server/contract/message';
import { countBytes } from '@/server/contract/text';
import { cutText } from '@/server/core/budget/cut-text';

export interface PageRequest {
  /** Messages before, or after, the one with this id; not both. Without either: the newest ones. */
  readonly before?: string | undefined;
  readonly after?: string | undefined;
  readonly limit: number;
  /** Longer tool outputs are shown with this many bytes of their head; the item itself has the whole. */
  readonly clipBytes?: number | undefined;
}

export interface Page {
  readonly messages: readonly Message[];
  readonly hasBefore: boolean;
  readonly hasAfter: boolean;
}

/**
 * One page of a transcript, in transcript order. Throws `not_found` for an anchor that is not in it, as after a
 * revert: the reader then starts again from the newest page.
 */
export function takePage(messages: readonly Message[], request: PageRequest): Page {
  const { before, after, limit, clipBytes } = request;
  const anchor = before ?? after;
  const place = anchor === undefined ? messages.length : messages.findIndex(({ id }) => id === anchor);
  if (place < 0) throw new AppError('not_found', 'That message is not part of this conversation as it stands.');
  const from = after === undefined ? Math.max(0, place - limit) : place + 1;
  const to = after === undefined ? place : Math.min(messages.length, from + limit);
  const page = messages.slice(from, to);
  return {
    messages: clipBytes === undefined ? page : page.map((message) => clip(message, clipBytes)),
    hasBefore: from > 0,
    hasAfter: to < messages.length,
  };
}

function clip(message: Message, clipBytes: number): Message {
  if (message.role !== 'tool') return message;
  const parts = message.parts.map((part) => {
    if (part.type !== 'tool_result' || countBytes(part.output) <= clipBytes) return part;
    const cut = cutText(part.output, { headBytes: clipBytes, tailBytes: 0 });
    return cut ? { ...part, output: cut.head, clipped: true } : part;
  });
  return { ...message, parts };
}
