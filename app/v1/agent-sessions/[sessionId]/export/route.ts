import { getContainer } from '@/server/container';
import { handle } from '@/server/http/route';

export const GET = handle('exportSession', ({ params, query }) =>
  getContainer().exports.download(params.sessionId, query.format),
);
