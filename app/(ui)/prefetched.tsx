import { dehydrate, HydrationBoundary, QueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { agentsQuery, providersQuery, sessionsQuery } from '@/components/sync/queries';
import { getContainer } from '@/server/container';
import { listSessionsQuerySchema } from '@/server/contract/session';

/** What is read on the server and comes with the page, so the first frame waits for no second request. */
type Wanted = 'sessions' | 'home';

/** Reads by the use cases the API calls. A read that fails is left out: the browser asks again and says why. */
async function load(client: QueryClient, wanted: Wanted): Promise<void> {
  const { sessions, agents, registry } = getContainer();
  if (wanted === 'sessions') {
    const queryFn = () => sessions.list(listSessionsQuerySchema.parse({}));
    await client.prefetchInfiniteQuery({ ...sessionsQuery({}), queryFn });
    return;
  }
  await Promise.all([
    client.prefetchQuery({ ...providersQuery(), queryFn: async () => ({ providers: [...registry.list()] }) }),
    client.prefetchQuery({ ...agentsQuery(), queryFn: async () => agents.list(undefined) }),
  ]);
}

export async function Prefetched({ wanted, children }: { readonly wanted: Wanted; readonly children: ReactNode }) {
  const client = new QueryClient();
  await load(client, wanted).catch(() => undefined);
  return <HydrationBoundary state={dehydrate(client)}>{children}</HydrationBoundary>;
}
