import { getContainer } from '@/server/container';
import { handle } from '@/server/http/route';

export const GET = handle('diffAgent', ({ params, query }) =>
  getContainer().agents.diff(params.agentId, query.from, query.to),
);
