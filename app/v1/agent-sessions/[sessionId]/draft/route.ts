import { getContainer } from '@/server/container';
import { handle } from '@/server/http/route';
import { OWNER } from '@/server/session/owner';

export const GET = handle('getDraft', ({ params }) => getContainer().sessions.draft(params.sessionId, OWNER));
export const PUT = handle('putDraft', ({ params, body }) =>
  getContainer().sessions.saveDraft(params.sessionId, body.text, OWNER),
);
