import { getContainer } from '@/server/container';
import { handle } from '@/server/http/route';

export const POST = handle('expandCompaction', ({ params, body }) =>
  getContainer().travel.expand(params.sessionId, params.compactionId, body),
);
