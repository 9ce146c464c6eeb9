import { getContainer } from '@/server/container';
import { handle } from '@/server/http/route';
import { OWNER } from '@/server/session/owner';

export const POST = handle('createSession', ({ body }) => getContainer().sessions.create(body, OWNER));
export const GET = handle('listSessions', ({ query }) => getContainer().sessions.search(query));
