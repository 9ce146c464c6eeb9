import { getContainer } from '@/server/container';
import { answerJson, handle } from '@/server/http/route';

export const GET = handle('openApi', () => answerJson(200, getContainer().server.openApi()));
