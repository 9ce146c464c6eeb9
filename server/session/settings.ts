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
  const read = (): SettingsAnswer => {
    const { revision, value } = store.read();
    const parsed = settingsSchema.safeParse({ ...defaultSettings, ...(typeof value === 'object' ? value : {}) });
    const settings = parsed.success ? parsed.data : defaultSettings;
    return { revision, settings, notes: notesOf(settings) };
  };
  return {
    current: () => read().settings,
    read,
    patch: ({ revision, settings }) => {
      const before = read();
      const next = settingsSchema.parse(mergeSettings(before.settings, settings));
      if (before.revision !== revision || !store.write(revision, next)) {
        throw new AppError('conflict', 'The settings were changed in another window.', {
          details: { revision: read().revision },
        });
      }
      return read();
    },
  };
}
