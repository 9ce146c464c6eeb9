import { getContainer } from '@/server/container';
import { handle } from '@/server/http/route';

export const POST = handle('undoTrim', ({ params }) => getContainer().travel.undoTrim(params.sessionId, params.trimId));
