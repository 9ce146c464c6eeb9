import { getContainer } from '@/server/container';
import { handle } from '@/server/http/route';
import { OWNER } from '@/server/session/owner';

export const GET = handle('listMessages', ({ params, query }) =>
  getContainer().sessions.messages(params.sessionId, query),
);
export const POST = handle('postMessage', ({ params, body }) =>
  getContainer().messages.post(params.sessionId, body, OWNER),
);
