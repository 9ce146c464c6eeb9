import { getContainer } from '@/server/container';
import { answerJson, handle } from '@/server/http/route';

export const GET = handle('ready', () => {
  const answer = getContainer().server.ready();
  return answer.ready ? answer : answerJson(503, answer);
});
