import { getContainer } from '@/server/container';
import { handle } from '@/server/http/route';

export const GET = handle('getSettings', () => getContainer().settings.read());
export const PATCH = handle('patchSettings', ({ body }) => getContainer().settings.patch(body));
