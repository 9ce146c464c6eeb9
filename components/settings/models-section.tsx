'use client';

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ChoiceLevel } from '../first-run/choice-row';
import { LocalServerRow } from '../first-run/local-server-row';
import { OfferRow } from '../first-run/offer-row';
import { PasteKey } from '../first-run/paste-key';
import { type Connected, sayConnected } from '../first-run/say-test';
import { toMessage } from '../sync/api-client';
import { providerOffersQuery, providersQuery } from '../sync/queries';
import { AddProvider } from './add-provider';
import { ProviderRow } from './provider-row';

/** Who answers: the connected providers, what was found and waits for a yes (N4), and ways to add more. */
export function ModelsSection() {
  const [news, setNews] = useState<Connected | null>(null);
  const providers = useQuery(providersQuery());
  const offers = useQuery(providerOffersQuery());
  const known = new Set(providers.data?.providers.map((provider) => provider.id));
  const found = (offers.data?.offers ?? []).filter((offer) => !known.has(offer.provider.id));
  return (
    <>
      {providers.error ? <p className="mb-3 text-danger">{toMessage(providers.error)}</p> : null}
      <ul className="mb-6 divide-y divide-line rounded-card border border-line bg-raised">
        {providers.data?.providers.map((provider) => (
          <ProviderRow key={provider.id} provider={provider} />
        ))}
      </ul>
      <h3 className="title-3 mb-2">Add a provider</h3>
      {news ? <p className="mb-2 text-ok">{sayConnected(news)}</p> : null}
      <ChoiceLevel value="h4">
        <ul className="mb-6 divide-y divide-line rounded-card border border-line bg-raised">
          {found.map((offer) => (
            <OfferRow key={offer.provider.id} offer={offer} onConnected={setNews} />
          ))}
          <PasteKey />
          <LocalServerRow text="Ollama, LM Studio, llama.cpp, vLLM or Jan at another address." />
          <AddProvider onConnected={setNews} />
        </ul>
      </ChoiceLevel>
      <p className="text-[0.8125rem] text-ink-2">
        A key is stored encrypted and never shown again. Nothing found here is used before you choose it.
      </p>
    </>
  );
}
