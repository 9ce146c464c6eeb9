import type { ModelMessage } from 'ai';
import type { Target } from './target';

export const BEGIN_TEXT = '[The conversation begins here.]';
export const CONTINUED_TEXT = '(continued)';

/**
 * The role rules of contract 10, on translated messages: adjacent messages of one role become one (all but `openai`),
 * a user message stands first, and between results and a user message an assistant line stands where a target demands it
 * (case-B03). Later messages never change how earlier ones are joined, so prefixes stay prefixes.
 */
export function applyRoleRules(messages: readonly ModelMessage[], target: Target): ModelMessage[] {
  const started: ModelMessage[] = messages[0]?.role === 'user' ? [...messages] : [toUser(BEGIN_TEXT), ...messages];
  const spaced = target.strictAfterTool
    ? started.flatMap((message, index) => separate(started[index - 1], message))
    : started;
  if (!target.mergeRoles) return spaced;
  const merged = mergeAdjacent(spaced);
  // Servers with plain templates read only the first part of a list of texts.
  return target.kind === 'openai-compatible' || target.kind === 'embedded' ? merged.map(joinTexts) : merged;
}

function toUser(text: string): ModelMessage {
  return { role: 'user', content: [{ type: 'text', text }] };
}

function separate(before: ModelMessage | undefined, message: ModelMessage): ModelMessage[] {
  if (before?.role !== 'tool' || message.role !== 'user') return [message];
  return [{ role: 'assistant', content: [{ type: 'text', text: CONTINUED_TEXT }] }, message];
}

function mergeAdjacent(messages: readonly ModelMessage[]): ModelMessage[] {
  const merged: ModelMessage[] = [];
  for (const message of messages) {
    const before = merged.at(-1);
    const both = before === undefined ? null : mergeTwo(before, message);
    if (both === null) merged.push(message);
    else merged[merged.length - 1] = both;
  }
  return merged;
}

function mergeTwo(one: ModelMessage, other: ModelMessage): ModelMessage | null {
  if (one.role === 'user' && other.role === 'user' && Array.isArray(one.content) && Array.isArray(other.content)) {
    return { role: 'user', content: [...one.content, ...other.content] };
  }
  if (
    one.role === 'assistant' &&
    other.role === 'assistant' &&
    Array.isArray(one.content) &&
    Array.isArray(other.content)
  ) {
    return { role: 'assistant', content: [...one.content, ...other.content] };
  }
  return null;
}

function joinTexts(message: ModelMessage): ModelMessage {
  if (message.role !== 'user' || !Array.isArray(message.content)) return message;
  const joined: typeof message.content = [];
  for (const part of message.content) {
    const before = joined.at(-1);
    if (part.type === 'text' && before?.type === 'text')
      joined[joined.length - 1] = { type: 'text', text: `${before.text}\n\n${part.text}` };
    else joined.push(part);
  }
  return { role: 'user', content: joined };
}
