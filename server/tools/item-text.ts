import type { ItemEvent } from '@/server/contract/events/event';
import type { Part } from '@/server/contract/shapes';
import type { Item } from '@/server/core/projection/state-shape';

/** All of an item as plain text, raw: nothing masked, capped or shortened. Reasoning is left out, images are named. */
export function toItemText(item: Item): string {
  return item.event.parts
    .map(toPartText)
    .filter((text) => text !== '')
    .join('\n');
}

/** What an item is, for a line above its text: `tool result of read_file`. */
export function toItemTitle({ number, event }: Item): string {
  return `Item ${number} (${titleOf(event)})`;
}

function titleOf(event: ItemEvent): string {
  if (event.type === 'tool.result') return `${event.isError ? 'error' : 'result'} of ${event.name}`;
  return event.type === 'message.user' ? 'message of the person' : 'reply';
}

function toPartText(part: Part): string {
  switch (part.type) {
    case 'text':
      return part.text;
    case 'reasoning':
      return '';
    case 'tool_call':
      return `[calls ${part.name} ${JSON.stringify(part.args)}]`;
    case 'image':
      return `[image ${part.name}, ${part.bytes} bytes]`;
    case 'file':
      return `[file ${part.name}, ${part.bytes} bytes]`;
  }
}
