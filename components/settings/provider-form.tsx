'use client';

import { type FormEvent, useState } from 'react';
import { type PatchProvider, type Provider, providerSchema } from '@/server/contract/provider';
import { completeAddress, judgeAddress } from '../first-run/read-address';
import { callApi, toMessage } from '../sync/api-client';
import { Button } from '../ui/button';
import { CheckRow, Field, TextInput } from '../ui/field';

export type ProviderFormProps = { readonly provider: Provider; readonly onDone: () => void };

/** Changes a provider. Its key is write-only: an empty field leaves the stored one as it is. */
export function ProviderForm({ provider, onDone }: ProviderFormProps) {
  const [name, setName] = useState(provider.name);
  const [baseUrl, setBaseUrl] = useState(provider.baseUrl ?? '');
  const [key, setKey] = useState('');
  const [forget, setForget] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const [wrongAddress, setWrongAddress] = useState<string | null>(null);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const wrong = judgeAddress(baseUrl);
    setWrongAddress(wrong);
    if (wrong !== null) return;
    const body: PatchProvider = {
      name: name.trim() || undefined,
      baseUrl: completeAddress(baseUrl) || undefined,
      apiKey: forget ? null : key.trim() || undefined,
    };
    try {
      await callApi(`/providers/${provider.id}`, { method: 'PATCH', body, schema: providerSchema });
      onDone();
    } catch (thrown) {
      setProblem(toMessage(thrown));
    }
  };
  return (
    <form className="mt-3 flex flex-col gap-3" onSubmit={submit}>
      <Field label="Name">
        {(control) => <TextInput {...control} value={name} onChange={(event) => setName(event.target.value)} />}
      </Field>
      <Field label="Address" hint="Empty: the provider's own." error={wrongAddress}>
        {(control) => (
          <TextInput
            {...control}
            face="machine"
            inputMode="url"
            spellCheck={false}
            value={baseUrl}
            onChange={(event) => setBaseUrl(event.target.value)}
          />
        )}
      </Field>
      <Field label="Key" error={problem}>
        {(control) => (
          <TextInput
            {...control}
            type="password"
            face="machine"
            placeholder={provider.hasKey ? 'Stored. Type to replace it.' : 'sk-…'}
            disabled={forget}
            value={key}
            onChange={(event) => setKey(event.target.value)}
          />
        )}
      </Field>
      {provider.keyFrom === 'stored' ? (
        <CheckRow
          label="Forget the stored key"
          checked={forget}
          onChange={(event) => setForget(event.target.checked)}
        />
      ) : null}
      <div className="flex gap-2">
        <Button type="submit">Save</Button>
        <Button look="quiet" onClick={onDone}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
