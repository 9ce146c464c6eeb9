/** Where a command listens. `no-field`: only while no text field has the focus. */
export type CommandScope =
  | 'everywhere'
  | 'no field'
  | 'composer'
  | 'conversation'
  | 'transcript'
  | 'fold'
  | 'message'
  | 'session row'
  | 'ordered list'
  | 'diff'
  | 'editor';

type Command = { readonly keys: readonly string[]; readonly action: string; readonly scope: CommandScope };

/**
 * The single source of every key in the interface: handlers, tooltips, menus, the help sheet and `aria-keyshortcuts`
 * read it (ux 16). `Mod` is Ctrl, or ⌘ on Apple machines. Compacting by a chord is deliberately not here: too easy to hit.
 */
export const keyboardCatalogue = {
  palette: { keys: ['Mod+K'], action: 'Open the palette', scope: 'everywhere' },
  newConversation: { keys: ['Mod+Shift+O'], action: 'New conversation', scope: 'everywhere' },
  toggleSessions: { keys: ['Mod+B'], action: 'Show or hide Sessions', scope: 'everywhere' },
  toggleDesk: { keys: ['Mod+\\'], action: 'Show or hide the Desk', scope: 'everywhere' },
  settings: { keys: ['Mod+,'], action: 'Settings', scope: 'everywhere' },
  help: { keys: ['Mod+/', '?'], action: 'Keyboard help', scope: 'everywhere' },
  nextRegion: { keys: ['F6'], action: 'Next region', scope: 'everywhere' },
  previousRegion: { keys: ['Shift+F6'], action: 'Previous region', scope: 'everywhere' },
  filterSessions: { keys: ['/'], action: 'Search conversations', scope: 'no field' },
  focusComposer: { keys: ['C'], action: 'Write a message', scope: 'no field' },
  send: { keys: ['Enter'], action: 'Send', scope: 'composer' },
  lineBreak: { keys: ['Shift+Enter'], action: 'Line break', scope: 'composer' },
  sendNow: { keys: ['Mod+Enter'], action: 'Stop and send now', scope: 'composer' },
  stop: { keys: ['Escape'], action: 'Close a list; twice: stop', scope: 'composer' },
  recall: { keys: ['ArrowUp'], action: 'Take the last message back for editing', scope: 'composer' },
  previousTurn: { keys: ['Alt+PageUp'], action: 'Previous turn', scope: 'conversation' },
  nextTurn: { keys: ['Alt+PageDown'], action: 'Next turn', scope: 'conversation' },
  previousFold: { keys: ['Alt+Shift+PageUp'], action: 'Previous summary', scope: 'conversation' },
  nextFold: { keys: ['Alt+Shift+PageDown'], action: 'Next summary', scope: 'conversation' },
  newestStart: { keys: ['Mod+Home'], action: 'Newest summary', scope: 'transcript' },
  newestEnd: { keys: ['Mod+End'], action: 'End of the conversation', scope: 'transcript' },
  nextMessage: { keys: ['J'], action: 'Next message', scope: 'transcript' },
  previousMessage: { keys: ['K'], action: 'Previous message', scope: 'transcript' },
  toggleFold: { keys: ['Enter', 'Space'], action: 'Open or close', scope: 'fold' },
  viewCovered: { keys: ['V'], action: 'View covered messages', scope: 'fold' },
  revertFold: { keys: ['R'], action: 'Revert, then confirm', scope: 'fold' },
  editMessage: { keys: ['E'], action: 'Edit', scope: 'message' },
  tryAgain: { keys: ['T'], action: 'Try again', scope: 'message' },
  copyMessage: { keys: ['Y'], action: 'Copy', scope: 'message' },
  renameSession: { keys: ['F2'], action: 'Rename', scope: 'session row' },
  pinSession: { keys: ['P'], action: 'Pin or unpin', scope: 'session row' },
  archiveSession: { keys: ['E'], action: 'Archive or bring back', scope: 'session row' },
  exportSession: { keys: ['X'], action: 'Export', scope: 'session row' },
  deleteSession: { keys: ['Delete'], action: 'Delete', scope: 'session row' },
  moveUp: { keys: ['Alt+ArrowUp'], action: 'Move up', scope: 'ordered list' },
  moveDown: { keys: ['Alt+ArrowDown'], action: 'Move down', scope: 'ordered list' },
  moveFirst: { keys: ['Alt+Home'], action: 'Move to the start', scope: 'ordered list' },
  moveLast: { keys: ['Alt+End'], action: 'Move to the end', scope: 'ordered list' },
  removeItem: { keys: ['Delete'], action: 'Remove', scope: 'ordered list' },
  undoInList: { keys: ['Mod+Z'], action: 'Undo', scope: 'ordered list' },
  nextChange: { keys: ['N'], action: 'Next change', scope: 'diff' },
  previousChange: { keys: ['Shift+N'], action: 'Previous change', scope: 'diff' },
  saveDraft: { keys: ['Mod+S'], action: 'Save the draft', scope: 'editor' },
  publish: { keys: ['Mod+Shift+S'], action: 'Publish', scope: 'editor' },
} as const satisfies Readonly<Record<string, Command>>;

export type CommandId = keyof typeof keyboardCatalogue;

/** The default chords of a command; `useKeyboard().keysOf` gives the ones in force. */
export function defaultKeys(id: CommandId): readonly string[] {
  return keyboardCatalogue[id].keys;
}

export function isCommandId(text: string): text is CommandId {
  return Object.hasOwn(keyboardCatalogue, text);
}

/** Every command in the catalogue's order, for the help sheet and the settings page. */
export const commandIds: readonly CommandId[] = Object.keys(keyboardCatalogue).filter(isCommandId);
