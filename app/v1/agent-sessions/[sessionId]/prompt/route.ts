import { getContainer } from '@/server/container';
import { handle } from '@/server/http/route';
import { OWNER } from '@/server/session/owner';

export const GET = handle('getPrompt', ({ params }) => getContainer().sessions.prompt(params.sessionId, OWNER));
