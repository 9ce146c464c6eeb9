import { getContainer } from '@/server/container';
import { handle } from '@/server/http/route';

export const GET = handle('listSkills', ({ query }) => getContainer().skills.list(query.q));
export const POST = handle('createSkill', ({ body }) => getContainer().skills.create(body));
