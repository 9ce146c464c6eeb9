import type { ItemMetadata, Message, MessageRole } from '@/server/contract/message';
import type { MessagePart } from '@/server/contract/view-parts';

type Left = NonNullable<ItemMetadata['left']>[number];

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
export function toMarkdown(head: MarkdownHead, messages: readonly Message[]): string {
  return [...toMarkdownPieces(head, [messages])].join('');
}

/** As `toMarkdown`, piece by piece: a long conversation is never one text (rel-S21). */
export function* toMarkdownPieces(
  { title, createdAt }: MarkdownHead,
  parts: Iterable<readonly Message[]>,
): Generator<string> {
  yield `# ${title.replaceAll('\n', ' ') || 'Conversation'}\n\nBegun ${createdAt}.\n`;
  for (const messages of parts) yield messages.map((message) => `\n${toSection(message)}`).join('');
}

function toSection(message: Message): string {
  const parts: readonly MessagePart[] = message.parts;
  const body = parts
    .map(toText)
    .filter((text) => text !== '')
    .join('\n\n');
  const section = `## ${NAMES[message.role]} · ${message.at}\n\n${message.role === 'trim' ? trimLine(message) : body}\n`;
  const { before, after } = waysFrom(message);
  return [...before, section, ...after].join('\n');
}

/** Where the conversation went back, and where others begin (L3, L4). */
function waysFrom({ metadata }: Message): { readonly before: readonly string[]; readonly after: readonly string[] } {
  if (!('number' in metadata)) return { before: [], after: [] };
  const { leftBefore = [], left = [], forks = [] } = metadata;
  return {
    before: leftBefore.map(leftLine),
    after: [...left.map(leftLine), ...forks.map((id) => `*Another conversation branches from here: ${id}.*\n`)],
  };
}

const leftWords: Readonly<Record<Left['by'], string>> = {
  back: 'Went back to here',
  edit: 'The next message was edited here',
  again: 'Tried again here',
  switch: 'Another branch was left here',
};

function leftLine({ at, items, by, itemId }: Left): string {
  const kept = items === 1 ? '1 message is kept' : `${items} messages are kept`;
  return `*${leftWords[by]} · ${at}. ${kept}, the newest of them ${itemId}.*\n`;
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
