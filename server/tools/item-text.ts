import type { ItemEvent } from '@/server/contract/events/event';
import { toJson } from '@/server/core/budget/json-bytes';
import { toItemText } from '@/server/core/projection/model-view-text';
import type { Item } from '@/server/core/projection/state-shape';

/** All of an item as it is read back, raw: nothing masked, capped or shortened. Its calls are told, reasoning is not. */
export function toRecalledText({ number, event }: Item): string {
  const calls = event.parts.flatMap((part) =>
    part.type === 'tool_call' ? [`[calls ${part.name} with ${toJson(part.args)}]`] : [],
  );
  return [toItemText(event, number), ...calls].filter((text) => text !== '').join('\n');
}

/** What an item is, for a line above its text: `Item 57 (result of read_file)`. */
export function toItemTitle({ number, event }: Item): string {
  return `Item ${number} (${titleOf(event)})`;
}

function titleOf(event: ItemEvent): string {
  if (event.type === 'tool.result') return `${event.isError ? 'error' : 'result'} of ${event.name}`;
  return event.type === 'message.user' ? 'message of the person' : 'reply';
}
