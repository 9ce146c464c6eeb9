import { getContainer } from '@/server/container';
import { handle } from '@/server/http/route';
import { OWNER } from '@/server/session/owner';

export const POST = handle('revertSession', ({ params, body }) =>
  getContainer().travel.revert(params.sessionId, body.itemId, OWNER),
);
