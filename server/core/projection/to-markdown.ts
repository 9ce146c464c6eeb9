import type { Message, MessageRole } from '@/server/contract/message';
import type { MessagePart } from '@/server/contract/view-parts';

export interface MarkdownHead {
  readonly title: string;
  readonly createdAt: string;
}

const NAMES: Readonly<Record<MessageRole, string>> = {
  user: 'You',
  assistant: 'Assistant',
  tool: 'Tool result',
  summary: 'Summary of what stands above',
  trim: 'Left out to fit',
  note: 'Note',
};

/**
 * A transcript for reading, boundaries included and marked as what they are (C16). Text of people and models is kept as it
 * is; calls and results stand in fences longer than any fence inside them, so that nothing breaks out.
 */
export function toMarkdown({ title, createdAt }: MarkdownHead, messages: readonly Message[]): string {
  const head = `# ${title.replaceAll('\n', ' ') || 'Conversation'}\n\nBegun ${createdAt}.\n`;
  return [head, ...messages.map(toSection)].join('\n');
}

function toSection(message: Message): string {
  const parts: readonly MessagePart[] = message.parts;
  const body = parts
    .map(toText)
    .filter((text) => text !== '')
    .join('\n\n');
  return `## ${NAMES[message.role]} · ${message.at}\n\n${message.role === 'trim' ? trimLine(message) : body}\n`;
}

function trimLine(message: Extract<Message, { role: 'trim' }>): string {
  const { kinds, before, after } = message.metadata;
  const counts = Object.entries(kinds).flatMap(([kind, { count }]) => (count === 0 ? [] : [`${count} ${kind}`]));
  return `Left out of the model's view, nothing was written about them: ${counts.join(', ')} (${before} → ${after} bytes).`;
}

function toText(part: MessagePart): string {
  switch (part.type) {
    case 'text':
      return part.text;
    case 'reasoning':
      return part.text
        .split('\n')
        .map((line) => `> ${line}`)
        .join('\n');
    case 'tool_call':
      return `Called \`${part.name}\`:\n\n${fence(JSON.stringify(part.args, null, 2) ?? '', 'json')}`;
    case 'tool_result':
      return fence(part.output, '');
    case 'image':
    case 'file':
      return `[${part.type}: ${part.name ?? part.mediaType}, ${part.bytes} bytes]`;
  }
}

function fence(text: string, language: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`{3,}/g)].map(([ticks]) => ticks.length));
  const ticks = '`'.repeat(longest + 1);
  return `${ticks}${language}\n${text}\n${ticks}`;
}
