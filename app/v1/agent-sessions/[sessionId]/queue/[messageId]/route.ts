import { getContainer } from '@/server/container';
import { handle } from '@/server/http/route';
import { OWNER } from '@/server/session/owner';

export const PATCH = handle('editQueued', ({ params, body }) =>
  getContainer().messages.edit(params.sessionId, params.messageId, body.text, OWNER),
);
export const DELETE = handle('withdrawQueued', ({ params }) =>
  getContainer().messages.withdraw(params.sessionId, params.messageId),
);
