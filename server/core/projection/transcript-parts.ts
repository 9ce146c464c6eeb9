import type { Part } from '@/server/contract/shapes';
import type { FilePart, ImagePart, MessagePart, ShownToolResultPart, TextPart } from '@/server/contract/view-parts';
import { utf8Bytes } from '@/server/core/budget/json-bytes';
import type { Item, SessionState } from './state-shape';
import { type CallIndex, showCall } from './transcript-calls';

type UserPart = TextPart | ImagePart | FilePart;

/** The text of an item as everything that counts or shows it means it: its text parts, a line apart. */
export function textOf(parts: readonly Part[]): string {
  return parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
}

const urlOf = (state: SessionState, sha256: string) => `/v1/agent-sessions/${state.branch}/attachments/${sha256}`;

function toMedia(state: SessionState, part: Extract<Part, { type: 'image' | 'file' }>): ImagePart | FilePart {
  const { mediaType, bytes, sha256, name } = part;
  const common = { mediaType, bytes, url: urlOf(state, sha256), sha256, name };
  if (part.type === 'file') return { type: 'file', ...common };
  return { type: 'image', ...common, width: part.width, height: part.height };
}

/** Parts of a message of a person: what else a stored line may hold there is not theirs to say. */
export function toUserParts(state: SessionState, parts: readonly Part[]): UserPart[] {
  return parts.flatMap((part): UserPart[] => {
    if (part.type === 'text') return [{ type: 'text', text: part.text }];
    return part.type === 'image' || part.type === 'file' ? [toMedia(state, part)] : [];
  });
}

/** The parts of a reply, each call with its state. */
export function toAssistantParts(state: SessionState, calls: CallIndex, item: Item): MessagePart[] {
  return item.event.parts.map((part): MessagePart => {
    if (part.type === 'tool_call') return { ...part, ...showCall(calls, item, part.callId) };
    return part.type === 'image' || part.type === 'file' ? toMedia(state, part) : part;
  });
}

/** The result first, then the images and files it came with. */
export function toToolParts(state: SessionState, item: Item): (ShownToolResultPart | UserPart)[] {
  if (item.event.type !== 'tool.result') return [];
  const { callId, name, isError, parts } = item.event;
  const mask = state.masks.get(item.id);
  const output = textOf(parts);
  const result: ShownToolResultPart = {
    type: 'tool_result',
    callId,
    name,
    output,
    isError,
    bytes: utf8Bytes(output),
    masked: mask !== undefined,
    maskNote: mask?.note ?? null,
  };
  return [result, ...toUserParts(state, parts).filter((part) => part.type !== 'text')];
}
