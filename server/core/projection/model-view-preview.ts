import { toJson } from '@/server/core/budget/json-bytes';
import type { ViewMessage } from './view-message';

/** An entry as one text a person can read: reasoning and calls in words, images by name. */
export function toMessageText(message: ViewMessage): string {
  if (message.role === 'tool') return message.results.map((result) => result.text).join('\n');
  return message.parts
    .map((part) => {
      if (part.type === 'tool_call') return `${part.name}(${toJson(part.args)})`;
      return part.type === 'image' ? `[image ${part.name}]` : part.text;
    })
    .join('\n');
}
