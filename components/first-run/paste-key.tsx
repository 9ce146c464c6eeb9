'use client';

import { KeyRound } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { Button } from '../ui/button';
import { Select, TextInput } from '../ui/field';
import { ChoiceRow } from './choice-row';
import { guessProvider, knownForms } from './guess-provider';
import type { Connected } from './say-test';
import { useConnectProvider } from './use-connect-provider';

export type PasteKeyProps = { readonly onConnected?: (connected: Connected) => void };

/** A key goes in, its provider is recognised from its form, and it is tested at once. A refused one stays in the field; one that was taken leaves it. */
export function PasteKey({ onConnected }: PasteKeyProps) {
  const [key, setKey] = useState('');
  const [byHand, setByHand] = useState('');
  const { connecting, connect } = useConnectProvider(onConnected);
  const guessed = guessProvider(key);
  const form = guessed ?? knownForms.find(({ id }) => id === byHand) ?? null;
  const unknown = key.trim().length > 7 && guessed === null;
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!form || key.trim() === '' || connecting.state === 'testing') return;
    if (await connect({ ...form, apiKey: key.trim() })) setKey('');
  };
  return (
    <ChoiceRow
      icon={KeyRound}
      title="Paste a key"
      text={
        form
          ? `This is a key for ${form.name}.`
          : 'The provider is recognised from its form and the key is tested at once.'
      }
      problem={connecting.state === 'refused' ? connecting.text : null}
      done={connecting.state === 'ready' ? connecting.text : null}
    >
      <form className="mt-2.5 flex flex-wrap gap-2" onSubmit={submit}>
        <TextInput
          type="password"
          face="machine"
          aria-label="Key"
          placeholder="sk-…"
          className="min-w-40 flex-1"
          value={key}
          onChange={(event) => setKey(event.target.value)}
        />
        {unknown ? (
          <Select aria-label="Provider of this key" value={byHand} onChange={(event) => setByHand(event.target.value)}>
            <option value="">Whose key?</option>
            {knownForms.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </Select>
        ) : null}
        <Button type="submit" disabled={connecting.state === 'testing'}>
          {connecting.state === 'testing' ? 'Testing…' : 'Test'}
        </Button>
      </form>
    </ChoiceRow>
  );
}
