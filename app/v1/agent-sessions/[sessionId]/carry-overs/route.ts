import { getContainer } from '@/server/container';
import { handle } from '@/server/http/route';
import { OWNER } from '@/server/session/owner';

export const GET = handle('listCarryOvers', ({ params }) => getContainer().small.carryOvers(params.sessionId));
export const POST = handle('createCarryOver', ({ params, body }) =>
  getContainer().small.carry(params.sessionId, body, OWNER),
);
