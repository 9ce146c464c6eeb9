// A provider of the chat completions protocol in a thread of its own: every reply comes in pieces at a pace, each with the moment
// it was sent, for so many seconds. `workerData`: { piecesASecond, seconds }; tells its port.
import { createServer } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';

const { piecesASecond, seconds } = workerData;
const HEAD = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1_700_000_000, model: 'm' };
const spell = (delta, finish = null) =>
  `data: ${JSON.stringify({ ...HEAD, choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
const now = () => performance.timeOrigin + performance.now();

/** Replies that run, and when each began. */
const running = new Map();

// One clock for all: two hundred timers would be a load of their own.
setInterval(() => {
  const at = now();
  for (const [response, from] of running) {
    // A reader that is behind gets fewer pieces, not a growing heap of them.
    if (at - from < seconds * 1_000) {
      if (!response.writableNeedDrain) response.write(spell({ content: `@${at.toFixed(1)}@` }));
      continue;
    }
    running.delete(response);
    response.end(`${spell({}, 'stop')}data: [DONE]\n\n`);
  }
}, 1_000 / piecesASecond);

const server = createServer((request, response) => {
  request.resume();
  if (request.method !== 'POST') return void response.end('{"object":"list","data":[]}');
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  request.on('end', () => running.set(response, now()));
  response.on('close', () => running.delete(response));
});
server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
