import { getContainer } from '@/server/container';
import { handle } from '@/server/http/route';
import { OWNER } from '@/server/session/owner';

export const POST = handle('compact', ({ params, body }) =>
  getContainer().compactions.request(params.sessionId, body, OWNER),
);
