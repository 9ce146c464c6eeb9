import { getContainer } from '@/server/container';
import { handle } from '@/server/http/route';

export const GET = handle('getLog', ({ params }) => getContainer().exports.log(params.sessionId));
