'use client';

import { type KeyboardEvent, type RefObject, useState } from 'react';
import type { Ranked } from '../ui/combobox-match';
import { type Combobox, useCombobox } from '../ui/use-combobox';
import { rankCommands, readSlash, type SlashCommand } from './slash-commands';

export type SlashOptions = {
  readonly text: string;
  readonly commands: readonly SlashCommand[];
  readonly change: (text: string) => void;
  readonly run: (command: SlashCommand, argument: string) => void;
  readonly field: RefObject<HTMLTextAreaElement | null>;
};

export type SlashState = {
  readonly open: boolean;
  /** Enter was pressed on words that name no command; pressed again it sends them as text. */
  readonly warned: boolean;
  readonly rows: readonly Ranked<SlashCommand>[];
  readonly combobox: Combobox<SlashCommand>;
  /** True when the key was the menu's; the composer then does nothing with it. */
  readonly onKeyDown: (event: KeyboardEvent) => boolean;
  /**
   * For the text area. It stays the text box it is, with a list that pops up: `combobox` is no role for a text area, and a
   * field whose role changes while one types is a new field to whoever listens.
   */
  readonly inputProps: {
    readonly 'aria-haspopup': 'listbox';
    readonly 'aria-autocomplete': 'list';
    readonly 'aria-controls': string | undefined;
    readonly 'aria-activedescendant': string | undefined;
  };
  readonly onCaret: () => void;
  readonly onBlur: () => void;
  /** The form of the command being given its words; null without one. */
  readonly form: string | null;
};

const keyOf = (command: SlashCommand) => command.name;

/** The menu of the composer: open while the caret is in a command's word, one key listener for both (case-E04). */
export function useSlashMenu({ text, commands, change, run, field }: SlashOptions): SlashState {
  const [closedFor, setClosedFor] = useState<string | null>(null);
  const [warnedFor, setWarnedFor] = useState<string | null>(null);
  const [recent, setRecent] = useState<readonly string[]>([]);
  const [caretInWord, setCaretInWord] = useState(true);
  const read = readSlash(text);
  const typing = read.kind === 'typing' && caretInWord && closedFor !== text;
  const rows = typing ? rankCommands(commands, read.query, recent) : [];
  const open = typing;

  const choose = (command: SlashCommand, how: 'enter' | 'tab' | 'click') => {
    setRecent((names) => [command.name, ...names.filter((name) => name !== command.name)]);
    if (how !== 'tab' && !command.needsArgument) return run(command, '');
    change(`/${command.name} `);
    field.current?.focus();
  };
  const combobox = useCombobox({
    open: open && rows.length > 0,
    items: rows.map(({ item }) => item),
    keyOf,
    reasonOf: (command) => command.reason,
    onChoose: choose,
    onClose: () => setClosedFor(text),
    tabCompletes: true,
  });
  const onKeyDown = (event: KeyboardEvent): boolean => {
    if (open && event.key === 'Escape' && rows.length === 0) {
      event.preventDefault();
      setClosedFor(text);
      return true;
    }
    // Words that look like a command are not sent by the same Enter that finds they are none (case-E04).
    if (open && event.key === 'Enter' && rows.length === 0 && warnedFor !== text) {
      event.preventDefault();
      setWarnedFor(text);
      return true;
    }
    if (!combobox.onKeyDown(event)) return false;
    // A row that cannot run says why; its Enter must not fall through to sending.
    if (event.key === 'Enter' && combobox.active?.reason) run(combobox.active, '');
    return true;
  };
  const onCaret = () => {
    const area = field.current;
    if (!area) return;
    const end = /^\S*/.exec(area.value)?.[0].length ?? 0;
    setCaretInWord(area.selectionStart > 0 ? area.selectionStart <= end : area.value.length === 0);
  };
  const named =
    read.kind === 'command' ? commands.find((command) => command.name === read.name.toLowerCase()) : undefined;
  return {
    open,
    warned: warnedFor === text,
    rows,
    combobox,
    onKeyDown,
    inputProps: {
      'aria-haspopup': 'listbox',
      'aria-autocomplete': 'list',
      'aria-controls': combobox.inputProps['aria-controls'],
      'aria-activedescendant': combobox.inputProps['aria-activedescendant'],
    },
    onCaret,
    onBlur: () => setClosedFor(text),
    form: named && named.argument !== '' ? `/${named.name} [${named.argument}]: ${named.description}` : null,
  };
}
