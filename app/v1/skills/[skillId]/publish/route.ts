import { getContainer } from '@/server/container';
import { handle } from '@/server/http/route';

export const POST = handle('publishSkill', ({ params, body }) => getContainer().skills.publish(params.skillId, body));
