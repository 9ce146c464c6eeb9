'use client';

import { useQuery } from '@tanstack/react-query';
import { BookOpenText } from 'lucide-react';
import { MainHeader } from '../shell/main-header';
import { providerOffersQuery } from '../sync/queries';
import { Button } from '../ui/button';
import { ChoiceRow } from './choice-row';
import { LocalServerRow } from './local-server-row';
import { OfferRow } from './offer-row';
import { PasteKey } from './paste-key';
import { SampleCard } from './sample-card';
import type { Connected } from './say-test';
import { practiceModel, useStartSession } from './use-start-session';

/** The first minute (N1–N4): a key, a server on this computer, or the practice model; the sample shows what it is all for. */
export function FirstRun({ onConnected }: { readonly onConnected: (connected: Connected) => void }) {
  const offers = useQuery(providerOffersQuery());
  const { start, starting, problem } = useStartSession();
  const found = offers.data?.offers ?? [];
  const local = found.filter((offer) => offer.from === 'local_server');
  return (
    <>
      <div className="rail:hidden">
        <MainHeader />
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto">
        <div className="mx-auto flex min-h-full max-w-[39.5rem] flex-col justify-center p-4 rail:px-4 rail:py-12">
          <h1 className="title-0">Start with a model</h1>
          <p className="record mt-2 mb-6 max-w-[33rem] text-title-2 text-ink-2">
            A long conversation is kept whole. What the model reads is folded when it grows too long, and every fold can
            be opened.
          </p>
          <ul className="mb-8 divide-y divide-line rounded-card border border-line bg-raised">
            <PasteKey onConnected={onConnected} />
            {found
              .filter((offer) => offer.from === 'environment')
              .map((offer) => (
                <OfferRow key={offer.provider.id} offer={offer} onConnected={onConnected} />
              ))}
            {local.map((offer) => (
              <OfferRow key={offer.provider.id} offer={offer} onConnected={onConnected} />
            ))}
            {local.length === 0 ? (
              <LocalServerRow
                onConnected={onConnected}
                text={
                  offers.isPending
                    ? 'Looking on the usual ports…'
                    : 'None was found on the usual ports. Give its address.'
                }
              />
            ) : null}
            <ChoiceRow
              icon={BookOpenText}
              title="Try the practice model"
              text="Built in, needs no key. It is not an AI model and says so."
              problem={problem}
              action={
                <Button look="primary" disabled={starting} onClick={() => void start({ model: practiceModel })}>
                  Try it
                </Button>
              }
            />
          </ul>
          <SampleCard />
        </div>
      </div>
    </>
  );
}
