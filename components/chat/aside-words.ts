import type { UserMessage } from '@/server/contract/message';

/** What another tool wrote in a person's place: a command of its own, or something it added. */
export interface AsideWords {
  readonly label: 'command' | 'added by the tool';
  /** On one line, while it is closed. */
  readonly line: string;
  /** Everything it says, without the tags it came in. */
  readonly text: string;
}

const tags =
  /<\/?(?:command-(?:name|message|args|contents)|bash-(?:input|stdout|stderr)|local-command-[a-z]+|system-reminder|task-notification)>/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: colours of a terminal begin with one.
const colours = /\u001b\[[0-9;]*m/g;

function readTag(text: string, tag: string): string {
  return new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`).exec(text)?.[1]?.trim() ?? '';
}

function strip(text: string): string {
  return text
    .replace(tags, '\n')
    .replace(colours, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

function commandOf(text: string): string {
  const name = readTag(text, 'command-name') || readTag(text, 'command-message');
  if (name !== '') return `${name} ${readTag(text, 'command-args')}`.trim();
  const line = readTag(text, 'bash-input');
  return line === '' ? strip(text) : `! ${line}`;
}

/** Null for what a person said: that is shown as it was typed. */
export function wordAside(kind: UserMessage['metadata']['kind'], text: string): AsideWords | null {
  if (kind === 'person') return null;
  const whole = kind === 'command' ? commandOf(text) : strip(text);
  const line = whole.replace(/\s+/g, ' ').slice(0, 160);
  return { label: kind === 'command' ? 'command' : 'added by the tool', line, text: whole };
}
