'use client';

import { KeyRound, Server } from 'lucide-react';
import { useState } from 'react';
import type { ProviderOffer } from '@/server/contract/provider';
import { Button } from '../ui/button';
import { Field, Select } from '../ui/field';
import { ChoiceRow } from './choice-row';
import type { Connected } from './say-test';
import { useConnectProvider } from './use-connect-provider';
import { useStartSession } from './use-start-session';

function sayFound(offer: ProviderOffer): string {
  if (offer.from === 'environment') {
    return `A key was found in ${offer.provider.apiKeyEnv ?? 'the environment'}. It is not used until you say so.`;
  }
  const address = offer.provider.baseUrl?.replace(/^https?:\/\//, '').replace(/\/.*$/, '') ?? 'this computer';
  const models = offer.models.length === 1 ? '1 model' : `${offer.models.length} models`;
  return `Found at ${address} with ${models}. Nothing is sent until you choose one.`;
}

export type OfferRowProps = {
  readonly offer: ProviderOffer;
  readonly onConnected?: (connected: Connected) => void;
};

/** Something found and offered, never used by itself (N4). Choosing a model of a local server stores it and begins with it. */
export function OfferRow({ offer, onConnected }: OfferRowProps) {
  const [choosing, setChoosing] = useState(false);
  const { connecting, connect } = useConnectProvider(onConnected);
  const local = offer.from === 'local_server';
  const act = () => (local && offer.models.length > 0 ? setChoosing(true) : void connect(offer.provider));
  return (
    <ChoiceRow
      icon={local ? Server : KeyRound}
      title={local ? `Use ${offer.label} on this computer` : `Use the ${offer.label} key`}
      text={sayFound(offer)}
      problem={connecting.state === 'refused' ? connecting.text : null}
      action={
        choosing ? null : (
          <Button disabled={connecting.state === 'testing'} onClick={act}>
            {local ? 'Choose' : 'Use it'}
          </Button>
        )
      }
    >
      {choosing ? <ChooseModel offer={offer} onConnect={() => connect(offer.provider)} /> : null}
    </ChoiceRow>
  );
}

type ChooseModelProps = { readonly offer: ProviderOffer; readonly onConnect: () => Promise<boolean> };

function ChooseModel({ offer, onConnect }: ChooseModelProps) {
  const [model, setModel] = useState(offer.models[0] ?? '');
  const { start, starting, problem } = useStartSession();
  const begin = async () => {
    if (await onConnect()) await start({ model: { provider: offer.provider.id, model } });
  };
  return (
    <div className="mt-3 flex flex-wrap items-end gap-2">
      <Field label="Model" className="min-w-48 flex-1" error={problem}>
        {(control) => (
          <Select {...control} autoFocus value={model} onChange={(event) => setModel(event.target.value)}>
            {offer.models.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </Select>
        )}
      </Field>
      <Button look="primary" disabled={starting} onClick={() => void begin()}>
        Begin
      </Button>
    </div>
  );
}
