import { getContainer } from '@/server/container';
import { handle } from '@/server/http/route';

export const GET = handle('getContext', ({ params, query }) =>
  getContainer().sessions.context(params.sessionId, query.full === '1'),
);
