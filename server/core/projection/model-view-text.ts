import type { ItemEvent } from '@/server/contract/events/event';
import type { Part } from '@/server/contract/shapes';
import { toFileText, toImageText } from './view-texts';

/**
 * The readable text of an item: its text parts, with a line in place of each image and file. This is what caps,
 * cuts and "bytes" in the view's texts are counted in; reasoning and calls are not part of it.
 */
export function toItemText(event: Pick<ItemEvent, 'parts'>, number: number): string {
  return event.parts.flatMap((part) => toReadable(part, number)).join('\n');
}

function toReadable(part: Part, number: number): readonly string[] {
  if (part.type === 'text') return [part.text];
  if (part.type === 'image') return [toImageText(part, number)];
  return part.type === 'file' ? [toFileText(part, number)] : [];
}
