import { getContainer } from '@/server/container';
import { handle } from '@/server/http/route';
import { openSse } from '@/server/http/sse';

export const GET = handle('streamEvents', async ({ request, query, signal }) => {
  const lastEventId = request.headers.get('last-event-id') ?? query.lastEventId ?? null;
  const { stream } = getContainer();
  const followed = await stream.plan({ sessions: query.sessions ?? null, lastEventId });
  return openSse({ signal, start: (writer) => stream.follow(followed, writer) });
});
