import { getContainer } from '@/server/container';
import { handle } from '@/server/http/route';

export const GET = handle('getItem', ({ params }) => getContainer().sessions.item(params.sessionId, params.itemId));
