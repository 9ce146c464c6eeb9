import { getContainer } from '@/server/container';
import { handle } from '@/server/http/route';
import { OWNER } from '@/server/session/owner';

export const POST = handle('revertCompaction', ({ params }) =>
  getContainer().travel.undoCompaction(params.sessionId, params.compactionId, OWNER),
);
