import { getContainer } from '@/server/container';
import { handle } from '@/server/http/route';

export const POST = handle('testProvider', ({ params }) => getContainer().providers.test(params.providerId));
