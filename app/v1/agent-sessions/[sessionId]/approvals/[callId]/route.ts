import { getContainer } from '@/server/container';
import { handle } from '@/server/http/route';

export const POST = handle('decideApproval', ({ params, body }) =>
  getContainer().approvals.decide(params.sessionId, params.callId, body),
);
