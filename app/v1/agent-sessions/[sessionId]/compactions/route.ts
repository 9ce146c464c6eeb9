import { getContainer } from '@/server/container';
import { handle } from '@/server/http/route';

export const GET = handle('listCompactions', ({ params }) => getContainer().compactions.ledger(params.sessionId));
