import { getContainer } from '@/server/container';
import { isOn } from '@/server/http/is-on';
import { handle } from '@/server/http/route';

export const POST = handle('expandCompaction', ({ params, query, body }) =>
  getContainer().travel.expand({ ...params, preview: isOn(query.preview) }, body),
);
