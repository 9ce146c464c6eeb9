import { getContainer } from '@/server/container';
import { handle } from '@/server/http/route';

export const GET = handle('getItemPlace', ({ params }) => getContainer().found.place(params.sessionId, params.itemId));
