import { once } from 'node:events';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** How long requests under way may take to end (milliseconds). */
const patience = 5_000;

/** How long a connection may stay that never said a word, as browsers open them in advance (milliseconds). */
const silence = 300;

/** A connection that was kept alive is looked for this often, once its last request ended (milliseconds). */
const lookOver = 20;

/**
 * Prepares a server to be closed: the answer takes no new connections, lets requests under way end, and then closes
 * what is left.
 */
export function closerOf(server: Server): () => Promise<void> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  const closeSilent = (): void => {
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
  };

  return async () => {
    if (!server.listening) return;
    const closed = once(server, 'close');
    server.prependListener('request', (_request, response) => response.setHeader('Connection', 'close'));
    server.close();
    const idle = setInterval(() => server.closeIdleConnections(), lookOver);
    const timers = [
      setTimeout(closeSilent, silence),
      setTimeout(() => server.closeAllConnections(), patience),
    ];
    await closed;
    for (const timer of [idle, ...timers]) clearTimeout(timer);
  };
}
