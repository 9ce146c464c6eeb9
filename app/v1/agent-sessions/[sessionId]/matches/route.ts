import { getContainer } from '@/server/container';
import { handle } from '@/server/http/route';

export const GET = handle('listMatches', ({ params, query }) => getContainer().found.matches(params.sessionId, query));
