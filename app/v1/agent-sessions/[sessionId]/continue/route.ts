import { getContainer } from '@/server/container';
import { handle } from '@/server/http/route';

export const POST = handle('continueTurn', ({ params }) => getContainer().messages.continue(params.sessionId));
