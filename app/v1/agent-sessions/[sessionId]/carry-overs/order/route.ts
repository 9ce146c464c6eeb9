import { getContainer } from '@/server/container';
import { handle } from '@/server/http/route';

export const PUT = handle('orderCarryOvers', ({ params, body }) =>
  getContainer().small.orderCarryOvers(params.sessionId, body.ids),
);
