import { getContainer } from '@/server/container';
import { handle } from '@/server/http/route';

export const GET = handle('diffSkill', ({ params, query }) =>
  getContainer().skills.diff(params.skillId, query.from, query.to),
);
