import { getContainer } from '@/server/container';
import { handle } from '@/server/http/route';

export const POST = handle('cancel', ({ params, body }) =>
  getContainer().compactions.cancel(params.sessionId, body.what),
);
