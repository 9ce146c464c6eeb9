import type { ToolSchema } from '@/server/contract/events/view-events';
import type {
  ViewArtifact,
  ViewAssistantMessage,
  ViewMessage,
  ViewToolCall,
  ViewToolResult,
  ViewUserMessage,
} from '@/server/core/projection/view-message';
import { jsonStringBytes, toJson, utf8Bytes } from './json-bytes';

/** What a protocol wraps around one part: roles, keys, ids and names of ordinary length (`contract.md` 7). */
export const BYTES_A_PART = 160;
/** An image, whatever its file size: about what its tokens weigh. Image data has its own limit. */
export const BYTES_AN_IMAGE = 6_400;
/** Ids and names up to this many bytes a part are inside `BYTES_A_PART`; Google sends a result's name twice. */
const ROOM_FOR_NAMES = 56;
const ROOM_FOR_AN_ID = 40;

/**
 * The measure of an entry: never below what OpenAI, Anthropic or Google put on the wire for it, image data apart.
 * Texts as JSON strings, 160 a part, a call's name and its arguments as a JSON string inside JSON, provider data
 * as it is sent back. Names and ids longer than any provider makes them count by what they exceed.
 */
export function measureMessage(message: ViewMessage): number {
  if (message.role === 'user') return sumOf(message.parts, measureUserPart);
  if (message.role === 'assistant') return sumOf(message.parts, measureAssistantPart);
  return sumOf(message.results, measureResult);
}

/** Bytes of one text part, its frame included. */
export function measureText(text: string): number {
  return jsonStringBytes(text) + BYTES_A_PART;
}

/** Bytes of a result: its text, and what its id and names exceed the usual room by. */
export function measureResult(result: ViewToolResult): number {
  const id = utf8Bytes(result.callId);
  const names = id + 2 * utf8Bytes(result.name);
  return measureText(result.text) + Math.max(0, id - ROOM_FOR_AN_ID, names - ROOM_FOR_NAMES);
}

function measureUserPart(part: ViewUserMessage['parts'][number]): number {
  return part.type === 'text' ? measureText(part.text) : BYTES_A_PART + BYTES_AN_IMAGE;
}

function measureAssistantPart(part: ViewAssistantMessage['parts'][number]): number {
  if (part.type === 'tool_call') return measureCall(part);
  return measureText(part.text) + sumOf(part.artifacts ?? [], measureArtifact);
}

function measureCall(call: ViewToolCall): number {
  const id = Math.max(0, utf8Bytes(call.callId) - ROOM_FOR_AN_ID);
  const args = jsonStringBytes(toJson(call.args));
  return BYTES_A_PART + jsonStringBytes(call.name) + args + id + sumOf(call.artifacts, measureArtifact);
}

function measureArtifact(artifact: ViewArtifact): number {
  return utf8Bytes(toJson(artifact.data)) + utf8Bytes(artifact.kind);
}

/** The schemas as sent, and what a protocol wraps around each. */
export function measureTools(tools: readonly ToolSchema[]): number {
  return sumOf(tools, (tool) => utf8Bytes(toJson(tool)) + BYTES_A_PART);
}

function sumOf<T>(values: readonly T[], measure: (value: T) => number): number {
  return values.reduce((sum, value) => sum + measure(value), 0);
}
