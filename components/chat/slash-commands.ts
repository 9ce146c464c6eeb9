import { type Ranked, rankItems } from '../ui/combobox-match';

export type SlashGroup = 'Conversation' | 'Context' | 'Agent' | 'Skills' | 'Help';

export interface SlashCommand {
  /** Without its slash. */
  readonly name: string;
  readonly group: SlashGroup;
  /** Hint of what may follow, in brackets; empty where nothing may. */
  readonly argument: string;
  readonly needsArgument: boolean;
  readonly description: string;
  /** Why it cannot run now; null when it can. */
  readonly reason: string | null;
  /** Why it cannot take these words now; they stay in the field then. */
  readonly refuse?: (argument: string) => string | null;
  readonly run: (argument: string) => void;
}

export const slashGroups: readonly SlashGroup[] = ['Conversation', 'Context', 'Agent', 'Skills', 'Help'];

/** Every sign an input method may give for a slash (case-E04). */
const slashes = '/\uff0f';

export type SlashText =
  /** An ordinary text; `text` is what is sent, with `//` as one slash. */
  | { readonly kind: 'text'; readonly text: string }
  /** The caret is in the command's word: the menu is open. */
  | { readonly kind: 'typing'; readonly query: string }
  /** A whole command, perhaps with words behind it. */
  | { readonly kind: 'command'; readonly name: string; readonly argument: string };

/**
 * What the text of a composer is. A command begins with a slash as the very first sign, its word holds no second one and
 * the text no line break, so paths and pasted text never are. `//` stands for a slash as such.
 */
export function readSlash(text: string): SlashText {
  const first = text.charAt(0);
  if (first === '' || !slashes.includes(first)) return { kind: 'text', text };
  if (slashes.includes(text.charAt(1)) && text.length > 1) return { kind: 'text', text: text.slice(1) };
  const [, word = '', rest] = /^(\S*)(\s.*)?$/.exec(text.slice(1)) ?? [];
  if (/[/\uff0f]/.test(word) || text.includes('\n')) return { kind: 'text', text };
  return rest === undefined ? { kind: 'typing', query: word } : { kind: 'command', name: word, argument: rest.trim() };
}

/**
 * The same for the moment of sending, where leading blanks are no reason to miss a command (case-E04, step 5). Null for
 * words that name none: they are text.
 */
export function readCommand(
  text: string,
  commands: readonly SlashCommand[],
): { readonly command: SlashCommand; readonly argument: string } | null {
  const read = readSlash(text.trim());
  if (read.kind === 'text') return null;
  const name = (read.kind === 'typing' ? read.query : read.name).toLowerCase();
  const command = commands.find((one) => one.name === name);
  return command ? { command, argument: read.kind === 'command' ? read.argument : '' } : null;
}

/** The rows of the menu, group by group; within a group prefix first, then word start, then letters in order. */
export function rankCommands(
  commands: readonly SlashCommand[],
  query: string,
  recent: readonly string[],
): readonly Ranked<SlashCommand>[] {
  const ranked = rankItems(commands, query, {
    textsOf: (command) => [command.name],
    recencyOf: (command) => {
      const place = recent.indexOf(command.name);
      return place === -1 ? null : place;
    },
  });
  // The best row decides which group stands first, so Enter always takes the best.
  const best = ranked[0]?.item.group;
  const order = [...slashGroups].sort((a, b) => (a === best ? -1 : b === best ? 1 : 0));
  return order.flatMap((group) => ranked.filter(({ item }) => item.group === group));
}
