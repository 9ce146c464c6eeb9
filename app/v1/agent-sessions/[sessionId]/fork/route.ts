import { getContainer } from '@/server/container';
import { handle } from '@/server/http/route';

export const POST = handle('forkSession', ({ params, body }) =>
  getContainer().travel.fork(params.sessionId, body.itemId ?? null),
);
