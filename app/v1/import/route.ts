import { getContainer } from '@/server/container';
import { handle } from '@/server/http/route';
import { OWNER } from '@/server/session/owner';

export const POST = handle('importSessions', ({ request, stream, query }) =>
  getContainer().imports.fromBody({
    contentType: request.headers.get('content-type'),
    stream: stream(),
    query,
    owner: OWNER,
  }),
);
