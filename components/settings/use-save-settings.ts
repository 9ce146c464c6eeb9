'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type SettingsAnswer, type SettingsPatch, settingsAnswerSchema } from '@/server/contract/settings';
import { mergeSettings } from '@/server/contract/settings-merge';
import { callApi, toMessage } from '../sync/api-client';
import { settingsQuery } from '../sync/queries';
import { useSpeak } from '../ui/live-region';
import { saveSettings } from './save-settings';

export type SaveState =
  | { readonly state: 'idle' | 'saving' | 'saved' }
  | { readonly state: 'failed'; readonly text: string }
  | { readonly state: 'conflict' };

const fetchSettings = () => callApi('/settings', { schema: settingsAnswerSchema });
const sendSettings = (body: unknown) => callApi('/settings', { method: 'PATCH', body, schema: settingsAnswerSchema });

/**
 * Saves one field, or one list, by itself. Writes of all fields go one after the other, each from the revision the last
 * one made. The value is drawn at once; a refused one stays in its field with the reason and a way to try again.
 */
export function useSaveSettings() {
  const client = useQueryClient();
  const speak = useSpeak();
  const { queryKey } = settingsQuery();
  const [state, setState] = useState<SaveState>({ state: 'idle' });
  const [last, setLast] = useState<SettingsPatch | null>(null);
  const mutation = useMutation({
    scope: { id: 'settings' },
    mutationFn: async (patch: SettingsPatch) => {
      const base = client.getQueryData<SettingsAnswer>(queryKey) ?? (await fetchSettings());
      client.setQueryData(queryKey, { ...base, settings: mergeSettings(base.settings, patch) });
      try {
        return await saveSettings({ send: sendSettings, fetch: fetchSettings }, base, patch);
      } catch (thrown) {
        client.setQueryData(queryKey, base);
        throw thrown;
      }
    },
    onSuccess: ({ outcome, answer }) => {
      client.setQueryData(queryKey, answer);
      setState({ state: outcome });
      speak(outcome === 'saved' ? 'Saved' : 'Changed in another window');
    },
    onError: (thrown) => setState({ state: 'failed', text: toMessage(thrown) }),
  });
  /** `onSettled`: what became of it, unless a newer save of this field has taken its place. */
  const save = (patch: SettingsPatch, onSettled?: (outcome: 'saved' | 'conflict' | 'failed') => void) => {
    setLast(patch);
    setState({ state: 'saving' });
    mutation.mutate(patch, { onSettled: (answer) => onSettled?.(answer?.outcome ?? 'failed') });
  };
  return { state, save, retry: () => (last ? save(last) : undefined), dismiss: () => setState({ state: 'idle' }) };
}
