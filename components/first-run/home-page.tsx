'use client';

import { useQuery } from '@tanstack/react-query';
import { MainHeader } from '../shell/main-header';
import { toMessage } from '../sync/api-client';
import { providersQuery } from '../sync/queries';
import { Button } from '../ui/button';
import { FirstRun } from './first-run';
import { hasRealModel } from './has-real-model';
import { NewConversation } from './new-conversation';

/** First run until a provider is ready or the practice model was chosen; from then on the page of a new conversation. */
export function HomePage() {
  const providers = useQuery(providersQuery());
  if (providers.isError)
    return <HomeProblem text={toMessage(providers.error)} onRetry={() => void providers.refetch()} />;
  if (!providers.data) return <MainHeader />;
  return hasRealModel(providers.data.providers) ? <NewConversation /> : <FirstRun />;
}

function HomeProblem({ text, onRetry }: { readonly text: string; readonly onRetry: () => void }) {
  return (
    <>
      <MainHeader />
      <div className="m-auto max-w-(--prose) p-6">
        <p className="mb-3">{text}</p>
        <Button onClick={onRetry}>Try again</Button>
      </div>
    </>
  );
}
