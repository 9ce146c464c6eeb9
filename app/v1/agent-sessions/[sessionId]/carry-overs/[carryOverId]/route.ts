import { getContainer } from '@/server/container';
import { handle } from '@/server/http/route';

export const DELETE = handle('deleteCarryOver', ({ params }) =>
  getContainer().small.dropCarryOver(params.sessionId, params.carryOverId),
);
export const PATCH = handle('patchCarryOver', ({ params, body }) =>
  getContainer().small.editCarryOver(params.sessionId, { carryId: params.carryOverId, text: body.text }),
);
