import { parseCursor } from '@/server/contract/cursor';
import { type StreamEvent, streamEventSchema } from '@/server/contract/stream';

/** One message of the stream, with the line it stands on where it is durable. */
export interface StreamMessage {
  readonly event: StreamEvent;
  readonly cursor: { readonly sessionId: string; readonly seq: number } | null;
}

/** Parses what one blank line closed; null for a pulse and for an event this build does not know. */
function parseBlock(block: string): StreamMessage | null {
  const fields = { id: '', event: '', data: '' };
  for (const line of block.split(/\r\n|\r|\n/)) {
    const [, name = '', value = ''] = /^(id|event|data): ?(.*)$/s.exec(line) ?? [];
    if (name === 'data') fields.data += fields.data === '' ? value : `\n${value}`;
    else if (name === 'id') fields.id = value;
    else if (name === 'event') fields.event = value;
  }
  if (fields.event === '' || fields.data === '') return null;
  const parsed = streamEventSchema.safeParse({ event: fields.event, data: parseJson(fields.data) });
  return parsed.success ? { event: parsed.data, cursor: parseCursor(fields.id) } : null;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/**
 * Cuts a text stream into its messages, however the network cut it. `push` gives those that are complete; a rest without
 * its blank line stays until more comes, so a half-written message at a break is never acted on.
 */
export function createStreamParser(): { readonly push: (text: string) => readonly StreamMessage[] } {
  let rest = '';
  return {
    push(text) {
      const blocks = (rest + text).split(/\r\n\r\n|\n\n|\r\r/);
      rest = blocks.pop() ?? '';
      return blocks.flatMap((block) => parseBlock(block) ?? []);
    },
  };
}
