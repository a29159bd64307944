import { once } from 'node:events';
import type { Server } from 'node:http';
import { isIPv6, type Socket } from 'node:net';
import { ConfigError } from '../config/variable.ts';

const reasons: Record<string, string> = {
  EADDRINUSE: 'is already taken by another program; stop it, or set PORT (or --port) to a free one',
  EACCES: 'may not be opened by this user; set PORT (or --port) to one above 1023',
  EADDRNOTAVAIL: 'is not an address of this machine; set HOST (or --host)',
  ENOTFOUND: 'is not an address of this machine; set HOST (or --host)',
};

/** Addresses that mean all of the machine's are reached as this machine. */
const everywhere = new Set(['0.0.0.0', '::']);

function urlOf(host: string, port: number): string {
  const reachable = everywhere.has(host) ? '127.0.0.1' : host;
  return `http://${isIPv6(reachable) ? `[${reachable}]` : reachable}:${port}`;
}

/**
 * Opens a port.
 *
 * @returns the URL under which this machine reaches it.
 * @throws ConfigError when the port or the address can't be had.
 */
export async function listen(server: Server, host: string, port: number): Promise<string> {
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    const reason = reasons[code];
    throw reason === undefined ? error : new ConfigError(`${host}:${port} ${reason}.`);
  }
  const address = server.address();
  return urlOf(host, typeof address === 'object' && address !== null ? address.port : port);
}

/** How long requests under way may take to end, in milliseconds. */
const timeoutMs = 5_000;

/** How long a connection without any request may stay; browsers open some in advance. In milliseconds. */
const unusedMs = 300;

/** How often connections that are kept alive without a request are closed, in milliseconds. */
const idleCheckMs = 20;

/**
 * Returns what closes a server: it takes no new connections, lets requests under way end, and then closes the rest.
 * Must be called before the server listens.
 */
export function createCloser(server: Server): () => Promise<void> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  const closeUnused = (): void => {
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
  };

  return async () => {
    if (!server.listening) return;
    const closed = once(server, 'close');
    server.prependListener('request', (_request, response) => response.setHeader('Connection', 'close'));
    server.close();
    const idle = setInterval(() => server.closeIdleConnections(), idleCheckMs);
    const timers = [
      setTimeout(closeUnused, unusedMs),
      setTimeout(() => server.closeAllConnections(), timeoutMs),
    ];
    await closed;
    for (const timer of [idle, ...timers]) clearTimeout(timer);
  };
}
