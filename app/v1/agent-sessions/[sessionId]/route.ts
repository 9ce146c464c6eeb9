import { getContainer } from '@/server/container';
import { isOn } from '@/server/http/is-on';
import { handle } from '@/server/http/route';
import { OWNER } from '@/server/session/owner';

export const GET = handle('getSession', ({ params }) => getContainer().sessions.get(params.sessionId));
export const PATCH = handle('patchSession', ({ params, body }) =>
  getContainer().sessions.patch(params.sessionId, body),
);
export const DELETE = handle('deleteSession', ({ params, query }) =>
  getContainer().sessions.remove(params.sessionId, OWNER, { force: isOn(query.force) }),
);
