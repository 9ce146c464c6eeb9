import { getContainer } from '@/server/container';
import { handle } from '@/server/http/route';

export const GET = handle('listAgentVersions', ({ params }) => getContainer().agents.versions(params.agentId));
