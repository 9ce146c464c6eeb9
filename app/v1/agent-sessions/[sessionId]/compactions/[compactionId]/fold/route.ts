import { getContainer } from '@/server/container';
import { isOn } from '@/server/http/is-on';
import { handle } from '@/server/http/route';

export const POST = handle('foldCompaction', ({ params, query, body }) =>
  getContainer().travel.fold({ ...params, preview: isOn(query.preview) }, body),
);
