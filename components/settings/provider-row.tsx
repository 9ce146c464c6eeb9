'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { z } from 'zod';
import { type Provider, providerTestSchema } from '@/server/contract/provider';
import { sayTested } from '../first-run/say-test';
import { callApi, toMessage } from '../sync/api-client';
import { modelsQuery, providersQuery } from '../sync/queries';
import { Button } from '../ui/button';
import { formatDuration } from '../ui/format-time';
import { ProviderForm } from './provider-form';

const states = {
  ready: { text: 'Ready', tone: 'text-ok' },
  key_missing: { text: 'Key missing', tone: 'text-warn' },
  paused: { text: 'Paused after failures', tone: 'text-warn' },
} as const;

const keyWords = { stored: 'key stored', environment: 'key from the environment', none: 'no key' } as const;

function sayFacts(provider: Provider): string {
  if (provider.kind === 'embedded') return 'Built in. Rules, not an AI.';
  return [provider.baseUrl, keyWords[provider.keyFrom]].filter(Boolean).join(' · ');
}

type Said = { readonly text: string; readonly ok: boolean } | null;

/** One provider: what it is, whether it can be used, and the three things to do with it. */
export function ProviderRow({ provider }: { readonly provider: Provider }) {
  const client = useQueryClient();
  const [doing, setDoing] = useState<'nothing' | 'testing' | 'editing' | 'removing'>('nothing');
  const [said, setSaid] = useState<Said>(null);
  const path = `/providers/${provider.id}`;
  const refresh = async () => {
    await client.invalidateQueries({ queryKey: providersQuery().queryKey });
    await client.invalidateQueries({ queryKey: modelsQuery().queryKey.slice(0, 1) });
  };
  const test = async () => {
    setDoing('testing');
    try {
      const result = await callApi(`${path}/test`, { method: 'POST', body: {}, schema: providerTestSchema });
      setSaid({ text: sayTested(result, provider.name, formatDuration(result.ms)), ok: result.ok });
      await refresh();
    } catch (thrown) {
      setSaid({ text: toMessage(thrown), ok: false });
    }
    setDoing('nothing');
  };
  const remove = async () => {
    try {
      await callApi(path, { method: 'DELETE', schema: z.unknown() });
      await refresh();
    } catch (thrown) {
      setSaid({ text: toMessage(thrown), ok: false });
      setDoing('nothing');
    }
  };
  const done = async () => {
    setDoing('nothing');
    await refresh();
  };
  const state = states[provider.state];
  return (
    <li className="px-4 py-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <div className="min-w-48 flex-1">
          <h3 className="title-3 inline">{provider.name}</h3>{' '}
          <span className={`ml-1.5 text-small ${state.tone}`}>{state.text}</span>
          <p className="text-[0.8125rem] break-all text-ink-2">{sayFacts(provider)}</p>
        </div>
        <div className="flex gap-1">
          <Button look="quiet" disabled={doing === 'testing'} onClick={() => void test()}>
            {doing === 'testing' ? 'Testing…' : 'Test'}
          </Button>
          {provider.kind === 'embedded' ? null : (
            <Button
              look="quiet"
              aria-expanded={doing === 'editing'}
              onClick={() => setDoing(doing === 'editing' ? 'nothing' : 'editing')}
            >
              Edit
            </Button>
          )}
          {provider.builtIn ? null : (
            <Button look="quiet" onClick={() => setDoing('removing')}>
              Remove
            </Button>
          )}
        </div>
      </div>
      {said ? (
        <p role="status" className={`mt-1 text-[0.8125rem] ${said.ok ? 'text-ok' : 'text-danger'}`}>
          {said.text}
        </p>
      ) : null}
      {doing === 'editing' ? <ProviderForm provider={provider} onDone={() => void done()} /> : null}
      {doing === 'removing' ? (
        <div className="mt-2 flex flex-wrap items-center gap-2">
          <span>Remove {provider.name} and its key? Conversations that use it will ask for another model.</span>
          <Button look="danger" autoFocus onClick={() => void remove()}>
            Remove
          </Button>
          <Button look="quiet" onClick={() => setDoing('nothing')}>
            Keep
          </Button>
        </div>
      ) : null}
    </li>
  );
}
