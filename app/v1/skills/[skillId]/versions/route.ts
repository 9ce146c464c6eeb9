import { getContainer } from '@/server/container';
import { handle } from '@/server/http/route';

export const GET = handle('listSkillVersions', ({ params }) => getContainer().skills.versions(params.skillId));
