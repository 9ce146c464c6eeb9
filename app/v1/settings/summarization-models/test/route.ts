import { getContainer } from '@/server/container';
import { handle } from '@/server/http/route';

export const POST = handle('testSummarizers', ({ body, signal }) => getContainer().summariserTest.test(body, signal));
