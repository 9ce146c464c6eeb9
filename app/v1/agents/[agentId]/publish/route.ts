import { getContainer } from '@/server/container';
import { handle } from '@/server/http/route';

export const POST = handle('publishAgent', ({ params, body }) => getContainer().agents.publish(params.agentId, body));
