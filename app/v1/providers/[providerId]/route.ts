import { getContainer } from '@/server/container';
import { handle } from '@/server/http/route';

export const GET = handle('getProvider', ({ params }) => getContainer().registry.get(params.providerId));
export const PATCH = handle('patchProvider', ({ params, body }) =>
  getContainer().registry.patch(params.providerId, body),
);
export const DELETE = handle('deleteProvider', ({ params }) => getContainer().registry.remove(params.providerId));
