import { getContainer } from '@/server/container';
import { handle } from '@/server/http/route';

export const GET = handle('getSkill', ({ params }) => getContainer().skills.get(params.skillId));
export const PATCH = handle('patchSkill', ({ params, body }) => getContainer().skills.patch(params.skillId, body));
export const DELETE = handle('deleteSkill', ({ params }) => getContainer().skills.remove(params.skillId));
