import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** This share of the bound is kept free for new connections: those on their way out still count for a moment. */
const FREE = 0.03;

/**
 * Holds a server to `max` connections. Near the bound the one that has waited longest without a request makes room for the new
 * one: whoever opens thousands and says nothing must not lock out those who ask something (rel-R14). Where every one has a
 * request under way the new one is refused.
 */
export function boundConnections(server: Server, max: number): void {
  const open = new Set<Socket>();
  const waiting = new Set<Socket>();
  server.maxConnections = max;
  const kept = max - Math.ceil(max * FREE);
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    waiting.add(socket);
    socket.once('close', () => {
      open.delete(socket);
      waiting.delete(socket);
    });
    if (open.size <= kept) return;
    const [longest = socket] = waiting;
    open.delete(longest);
    waiting.delete(longest);
    longest.destroy();
  });
  server.on('request', ({ socket }, response) => {
    waiting.delete(socket);
    response.once('close', () => {
      if (open.has(socket)) waiting.add(socket);
    });
  });
}
