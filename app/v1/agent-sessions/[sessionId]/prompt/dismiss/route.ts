import { getContainer } from '@/server/container';
import { handle } from '@/server/http/route';
import { OWNER } from '@/server/session/owner';

export const POST = handle('dismissPrompt', ({ params, body }) =>
  getContainer().sessions.dismiss(params.sessionId, body.hash, OWNER),
);
