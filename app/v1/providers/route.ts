import { getContainer } from '@/server/container';
import { handle } from '@/server/http/route';

export const GET = handle('listProviders', () => ({ providers: getContainer().registry.list() }));
export const POST = handle('createProvider', ({ body }) => getContainer().registry.create(body));
