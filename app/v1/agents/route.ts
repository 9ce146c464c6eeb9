import { getContainer } from '@/server/container';
import { handle } from '@/server/http/route';

export const GET = handle('listAgents', ({ query }) => getContainer().agents.list(query.q));
export const POST = handle('createAgent', ({ body }) => getContainer().agents.create(body));
