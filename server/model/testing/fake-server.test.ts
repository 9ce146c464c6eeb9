import { afterEach, expect, test } from 'vitest';
import { startFakeChatCompletions } from './fake-chat-completions';
import { createGate, type FakePart } from './script';

const warnings: Error[] = [];
const hear = (warning: Error) => void warnings.push(warning);
process.on('warning', hear);
afterEach(() => void process.off('warning', hear));

test('a reply with many gates listens once for its reader to leave', async () => {
  const server = await startFakeChatCompletions();
  const gates = Array.from({ length: 30 }, () => createGate());
  const parts = gates.flatMap((gate): FakePart[] => [{ gate }, { text: 'a' }]);
  server.push({ parts, end: { reason: 'stop' } });
  const answer = fetch(`${server.baseUrl}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'm', stream: true, messages: [{ role: 'user', content: 'hi' }] }),
  });
  for (const gate of gates) gate.open();
  expect((await (await answer).text()).match(/"content":"a"/g)).toHaveLength(30);
  await server.close();
  expect(warnings.filter(({ name }) => name === 'MaxListenersExceededWarning')).toEqual([]);
});
