import { getContainer } from '@/server/container';
import { handle } from '@/server/http/route';

export const GET = handle('listModels', ({ query }) => getContainer().providers.models(query));
