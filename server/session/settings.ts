import { AppError } from '@/server/contract/error';
import { type PatchSettings, type Settings, type SettingsAnswer, settingsSchema } from '@/server/contract/settings';
import { mergeSettings } from '@/server/contract/settings-merge';
import { type RefusedField, settingsFrom, settingsToStore } from '@/server/contract/settings-stored';
import type { SettingsStore } from '@/server/ports/stores';

export interface SettingsUse {
  /** The settings in force: what was chosen over the defaults. */
  current(): Settings;
  read(): SettingsAnswer;
  /** Throws `conflict` where the revision moved meanwhile; the answer then is in `details`. */
  patch(request: PatchSettings): SettingsAnswer;
}

/** What a settings page has to say about values in force, for example a budget that is passed over (B1). */
export type SettingsNotes = (settings: Settings) => SettingsAnswer['notes'];

/**
 * The settings over their store. A stored field that is not allowed is passed over alone and named in the notes; it stays
 * stored until somebody chooses another value for it.
 */
export function createSettings(store: SettingsStore, notesOf: SettingsNotes): SettingsUse {
  // Read for every step of every turn, and written by this process alone (L7).
  let known: SettingsAnswer | null = null;
  const read = (): SettingsAnswer => {
    if (known !== null) return known;
    const { revision, value } = store.read();
    const { settings, refused } = settingsFrom(value);
    known = { revision, settings, notes: [...notesOf(settings), ...refused.map(toNote)] };
    return known;
  };
  return {
    current: () => read().settings,
    read,
    patch: ({ revision, settings }) => {
      const before = store.read();
      const { settings: inForce, refused } = settingsFrom(before.value);
      const next = settingsSchema.parse(mergeSettings(inForce, settings));
      const stored = settingsToStore(next, { stored: before.value, refused, patch: settings });
      known = null;
      if (before.revision !== revision || !store.write(revision, stored)) {
        throw new AppError('conflict', 'The settings were changed in another window.', {
          details: { revision: read().revision },
        });
      }
      return read();
    },
  };
}

function toNote({ path, message }: RefusedField): SettingsAnswer['notes'][number] {
  const text = `What is stored here is not allowed (${message}), so the default is used. It stays stored until another value is chosen.`;
  return { path: path.join('.'), text };
}
