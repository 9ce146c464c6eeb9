import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { boundConnections } from './bound-connections';

const cleanUp: (() => void)[] = [];
afterEach(() => {
  for (const each of cleanUp.splice(0)) each();
});

/** A server of four connections, one of them kept free, that answers `/now` at once and everything else when the test says so. */
async function openServer() {
  const held: ServerResponse[] = [];
  const server = createServer((request, response) => {
    if (request.url === '/now') response.end('here');
    else held.push(response);
  });
  boundConnections(server, 4);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const open = async (): Promise<Socket> => {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined);
    cleanUp.push(() => socket.destroy());
    await Promise.all([once(socket, 'connect'), once(server, 'connection')]);
    return socket;
  };
  cleanUp.push(() => void server.close());
  return { server, held, open };
}

const ask = (socket: Socket, path: string) => socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
const answerOf = async (socket: Socket) => String((await once(socket, 'data'))[0]);

describe('rel-R14: a bound of connections', () => {
  it('is kept by those that say nothing: the longest silent one makes room for one that asks', async () => {
    const { open } = await openServer();
    const longest = await open();
    const silent = [longest, await open(), await open()];
    const gone = once(longest, 'close');
    const asking = await open();
    ask(asking, '/now');
    expect(await answerOf(asking)).toContain('here');
    await gone;
    expect(silent.map((socket) => socket.destroyed)).toEqual([true, false, false]);
  });

  it('never ends one that is being answered; with all of them so, the new one is refused', async () => {
    const { server, held, open } = await openServer();
    const busy = [await open(), await open(), await open()];
    for (const socket of busy) {
      const heard = once(server, 'request');
      ask(socket, '/later');
      await heard;
    }
    const refused = await open();
    await once(refused, 'close');
    const answers = busy.map(answerOf);
    for (const response of held) response.end('at last');
    for (const answer of answers) expect(await answer).toContain('at last');
  });
});
