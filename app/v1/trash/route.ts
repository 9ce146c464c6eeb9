import { getContainer } from '@/server/container';
import { handle } from '@/server/http/route';

export const GET = handle('listTrash', () => getContainer().trash.list());
