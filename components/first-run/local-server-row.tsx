'use client';

import { Server } from 'lucide-react';
import { type FormEvent, useId, useState } from 'react';
import { Button } from '../ui/button';
import { TextInput } from '../ui/field';
import { ChoiceRow } from './choice-row';
import { readAddress } from './read-address';
import type { Connected } from './say-test';
import { useConnectProvider } from './use-connect-provider';

export type LocalServerRowProps = { readonly text: string; readonly onConnected?: (connected: Connected) => void };

/** A server whose address is given by hand. The address is only asked when the button is pressed; what is none is said at once. */
export function LocalServerRow({ text, onConnected }: LocalServerRowProps) {
  const problemId = useId();
  const [address, setAddress] = useState('');
  const { connecting, connect } = useConnectProvider(onConnected);
  const [wrong, setWrong] = useState<string | null>(null);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (connecting.state === 'testing') return;
    const read = readAddress(address);
    setWrong(read.ok ? null : read.problem);
    if (!read.ok) return;
    const { baseUrl } = read;
    if (await connect({ id: 'local', kind: 'openai-compatible', name: 'Local server', baseUrl })) setAddress('');
  };
  const problem = wrong ?? (connecting.state === 'refused' ? connecting.text : null);
  return (
    <ChoiceRow
      icon={Server}
      title="Use a model on this computer"
      text={text}
      done={connecting.state === 'ready' && wrong === null ? connecting.text : null}
    >
      <form className="mt-2.5 flex gap-2" onSubmit={submit}>
        <TextInput
          face="machine"
          aria-label="Address of the server"
          aria-invalid={problem !== null || undefined}
          aria-describedby={problem === null ? undefined : problemId}
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
      {problem ? (
        <p id={problemId} role="alert" className="mt-2 text-danger">
          {problem}
        </p>
      ) : null}
    </ChoiceRow>
  );
}
