import { getContainer } from '@/server/container';
import { handle } from '@/server/http/route';

export const GET = handle('getPlan', ({ params }) => getContainer().small.plan(params.sessionId));
export const PUT = handle('putPlan', ({ params, body }) => getContainer().small.setPlan(params.sessionId, body.items));
