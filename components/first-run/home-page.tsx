'use client';

import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { MainHeader } from '../shell/main-header';
import { toMessage } from '../sync/api-client';
import { providersQuery, sessionsQuery } from '../sync/queries';
import { Button } from '../ui/button';
import { FirstRun } from './first-run';
import { hasRealModel } from './has-real-model';
import { NewConversation } from './new-conversation';
import type { Connected } from './say-test';

/** First run while nothing is connected and nothing was begun; from then on the page of a new conversation. */
export function HomePage() {
  const providers = useQuery(providersQuery());
  const sessions = useInfiniteQuery(sessionsQuery({}));
  const [news, setNews] = useState<Connected | null>(null);
  if (providers.isError) {
    return <HomeProblem text={toMessage(providers.error)} onRetry={() => void providers.refetch()} />;
  }
  if (!providers.data || sessions.isPending) return <MainHeader />;
  const connected = hasRealModel(providers.data.providers);
  const begun = sessions.data?.pages.some((page) => page.sessions.length > 0) ?? false;
  if (!connected && !begun) return <FirstRun onConnected={setNews} />;
  return <NewConversation providers={providers.data.providers} news={news} />;
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
