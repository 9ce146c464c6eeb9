import { getContainer } from '@/server/container';
import { handle } from '@/server/http/route';

export const GET = handle('getAgent', ({ params }) => getContainer().agents.get(params.agentId));
export const PATCH = handle('patchAgent', ({ params, body }) => getContainer().agents.patch(params.agentId, body));
export const DELETE = handle('deleteAgent', ({ params }) => getContainer().agents.remove(params.agentId));
