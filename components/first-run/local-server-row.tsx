'use client';

import { Server } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { Button } from '../ui/button';
import { TextInput } from '../ui/field';
import { ChoiceRow } from './choice-row';
import { useConnectProvider } from './use-connect-provider';

/** A server whose address is given by hand. The address is only asked when the button is pressed. */
export function LocalServerRow({ text }: { readonly text: string }) {
  const [address, setAddress] = useState('');
  const { connecting, connect } = useConnectProvider();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const trimmed = address.trim().replace(/\/+$/, '');
    if (trimmed === '') return;
    const url = /^https?:\/\//.test(trimmed) ? trimmed : `http://${trimmed}`;
    const baseUrl = /\/v\d+$/.test(url) ? url : `${url}/v1`;
    void connect({ id: 'local', kind: 'openai-compatible', name: 'Local server', baseUrl });
  };
  return (
    <ChoiceRow
      icon={Server}
      title="Use a model on this computer"
      text={text}
      problem={connecting.state === 'refused' ? connecting.text : null}
    >
      <form className="mt-2.5 flex gap-2" onSubmit={submit}>
        <TextInput
          face="machine"
          aria-label="Address of the server"
          placeholder="127.0.0.1:11434"
          inputMode="url"
          spellCheck={false}
          value={address}
          onChange={(event) => setAddress(event.target.value)}
        />
        <Button type="submit" disabled={connecting.state === 'testing'}>
          {connecting.state === 'testing' ? 'Asking…' : 'Connect'}
        </Button>
      </form>
    </ChoiceRow>
  );
}
