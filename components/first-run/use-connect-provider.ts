'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { z } from 'zod';
import {
  type CreateProvider,
  providerSchema,
  providersAnswerSchema,
  providerTestSchema,
} from '@/server/contract/provider';
import { callApi, toMessage } from '../sync/api-client';
import { modelsQuery, providersQuery } from '../sync/queries';
import { useSpeak } from '../ui/live-region';
import { type Connected, sayConnected, sayRefused } from './say-test';

export type Connecting =
  | { readonly state: 'idle' }
  | { readonly state: 'testing' }
  | { readonly state: 'refused'; readonly text: string }
  | { readonly state: 'ready'; readonly text: string };

async function store(provider: CreateProvider): Promise<'new' | 'changed'> {
  const { id, kind: _, ...rest } = provider;
  const { providers } = await callApi('/providers', { schema: providersAnswerSchema });
  if (providers.some((held) => held.id === id)) {
    await callApi(`/providers/${id}`, { method: 'PATCH', body: rest, schema: providerSchema });
    return 'changed';
  }
  await callApi('/providers', { method: 'POST', body: provider, schema: providerSchema });
  return 'new';
}

/**
 * Stores a provider and tests it at once. One that was new and did not answer is taken away again, so nothing half set up
 * stays behind; the typed text stays in its field. One that answered is said, and handed to `onConnected` before the
 * lists are read anew: the page that asked may be gone after that.
 */
export function useConnectProvider(onConnected?: (connected: Connected) => void) {
  const client = useQueryClient();
  const speak = useSpeak();
  const [connecting, setConnecting] = useState<Connecting>({ state: 'idle' });
  const connect = useCallback(
    async (provider: CreateProvider): Promise<boolean> => {
      setConnecting({ state: 'testing' });
      try {
        const how = await store(provider);
        const test = await callApi(`/providers/${provider.id}/test`, {
          method: 'POST',
          body: {},
          schema: providerTestSchema,
        });
        if (!test.ok && how === 'new')
          await callApi(`/providers/${provider.id}`, { method: 'DELETE', schema: z.unknown() });
        const name = provider.name ?? provider.id;
        if (test.ok) {
          const text = sayConnected({ name, models: test.models });
          speak(text);
          setConnecting({ state: 'ready', text });
          onConnected?.({ name, models: test.models });
        } else setConnecting({ state: 'refused', text: sayRefused(test, name) });
        await client.invalidateQueries({ queryKey: modelsQuery().queryKey.slice(0, 1) });
        await client.invalidateQueries({ queryKey: providersQuery().queryKey });
        return test.ok;
      } catch (thrown) {
        setConnecting({ state: 'refused', text: toMessage(thrown) });
        return false;
      }
    },
    [client, speak, onConnected],
  );
  return { connecting, connect };
}
