import { getContainer } from '@/server/container';
import { handle } from '@/server/http/route';
import { OWNER } from '@/server/session/owner';

export const POST = handle('retrySegment', ({ params }) => getContainer().compactions.retrySegment(params, OWNER));
