import { getContainer } from '@/server/container';
import { isOn } from '@/server/http/is-on';
import { handle } from '@/server/http/route';
import { OWNER } from '@/server/session/owner';

export const POST = handle('revertCompaction', ({ params, query }) =>
  getContainer().travel.undoCompaction({ ...params, preview: isOn(query.preview) }, OWNER),
);
