import type { LogEvent } from '@/server/contract/events/event';

/** Longer strings are texts; ids, hashes, paths and names of tools are kept. */
const LONGEST_NAME = 120;

/**
 * An event without what people, models and tools wrote in it: no rule of a log looks at that (`contract.md` 5), and it is
 * nearly all of the bytes. For who holds a log against the rules and need not show it.
 */
export function withoutTexts(event: LogEvent): LogEvent {
  if ('unknown' in event) return { ...event, raw: {} };
  const { type } = event;
  if (type === 'message.user' || type === 'message.assistant' || type === 'tool.result') {
    const parts = event.parts.flatMap((part) => (part.type === 'tool_call' ? [{ ...part, args: null }] : []));
    if (type !== 'message.assistant') return { ...event, parts };
    return { ...event, parts, artifacts: [], usage: null };
  }
  if (type === 'prompt.kept') return { ...event, text: '', tools: [], sections: [] };
  return shorten(event);
}

function shorten<T>(value: T): T;
function shorten(value: unknown): unknown {
  if (typeof value === 'string') return value.length > LONGEST_NAME ? '' : value;
  if (Array.isArray(value)) return value.map((entry) => shorten(entry));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, shorten(entry)]));
}
