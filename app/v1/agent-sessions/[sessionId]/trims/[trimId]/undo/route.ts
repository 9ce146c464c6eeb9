import { getContainer } from '@/server/container';
import { isOn } from '@/server/http/is-on';
import { handle } from '@/server/http/route';

export const POST = handle('undoTrim', ({ params, query }) =>
  getContainer().travel.undoTrim({ ...params, preview: isOn(query.preview) }),
);
