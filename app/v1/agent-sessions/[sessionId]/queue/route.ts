import { getContainer } from '@/server/container';
import { handle } from '@/server/http/route';

export const GET = handle('getQueue', ({ params }) => getContainer().sessions.queue(params.sessionId));
export const PATCH = handle('orderQueue', async ({ params, body }) => {
  await getContainer().messages.order(params.sessionId, body.order);
  return getContainer().sessions.queue(params.sessionId);
});
