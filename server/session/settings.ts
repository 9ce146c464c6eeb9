import { AppError } from '@/server/contract/error';
import {
  defaultSettings,
  type PatchSettings,
  type Settings,
  type SettingsAnswer,
  settingsSchema,
} from '@/server/contract/settings';
import { mergeSettings } from '@/server/contract/settings-merge';
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

export function createSettings(store: SettingsStore, notesOf: SettingsNotes): SettingsUse {
  // Read for every step of every turn, and written by this process alone (L7).
  let known: SettingsAnswer | null = null;
  const readStored = (): SettingsAnswer => {
    const { revision, value } = store.read();
    const parsed = settingsSchema.safeParse({ ...defaultSettings, ...(typeof value === 'object' ? value : {}) });
    const settings = parsed.success ? parsed.data : defaultSettings;
    return { revision, settings, notes: notesOf(settings) };
  };
  const read = (): SettingsAnswer => {
    known ??= readStored();
    return known;
  };
  return {
    current: () => read().settings,
    read,
    patch: ({ revision, settings }) => {
      const before = readStored();
      const next = settingsSchema.parse(mergeSettings(before.settings, settings));
      known = null;
      if (before.revision !== revision || !store.write(revision, next)) {
        throw new AppError('conflict', 'The settings were changed in another window.', {
          details: { revision: read().revision },
        });
      }
      return read();
    },
  };
}
