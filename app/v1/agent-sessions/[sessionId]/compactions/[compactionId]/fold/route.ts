import { getContainer } from '@/server/container';
import { handle } from '@/server/http/route';

export const POST = handle('foldCompaction', ({ params, body }) =>
  getContainer().travel.fold(params.sessionId, params.compactionId, body),
);
