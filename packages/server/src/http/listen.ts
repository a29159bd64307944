import { once } from 'node:events';
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { isIPv6, type Socket } from 'node:net';
import { ConfigError } from '../config/variable.ts';

const reasons: Record<string, string> = {
  EADDRINUSE: 'is already taken by another program; stop it, or set PORT (or --port) to a free port',
  EACCES: 'may not be opened by this user; set PORT (or --port) to a port above 1023',
  EADDRNOTAVAIL: 'is not an address of this machine; set HOST (or --host)',
  ENOTFOUND: 'is not an address of this machine; set HOST (or --host)',
};

/** Addresses that stand for all network interfaces; the server's URL then uses 127.0.0.1. */
const allInterfaces = new Set(['0.0.0.0', '::']);

function urlOf(host: string, port: number): string {
  const reachable = allInterfaces.has(host) ? '127.0.0.1' : host;
  return `http://${isIPv6(reachable) ? `[${reachable}]` : reachable}:${port}`;
}

/**
 * Opens a port.
 *
 * @returns its URL on this machine.
 * @throws ConfigError when the port is taken or the address is not of this machine.
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

/** Requests of clients that were faster than the start of the server. */
export interface HeldRequests extends Disposable {
  /** Handles the requests that are waiting, and from now on every request at once. */
  release(listener: RequestListener): void;
}

/** Lets requests wait until the server can handle them; disposing before then breaks their connections. */
export function holdRequests(server: Server): HeldRequests {
  const waiting: [IncomingMessage, ServerResponse & { req: IncomingMessage }][] = [];
  const hold: RequestListener = (request, response) => void waiting.push([request, response]);
  server.on('request', hold);
  return {
    release(listener) {
      server.off('request', hold).on('request', listener);
      for (const [request, response] of waiting.splice(0)) listener(request, response);
    },
    [Symbol.dispose]() {
      for (const [request] of waiting.splice(0)) request.destroy();
    },
  };
}

/** Maximum time for requests in progress to finish, in milliseconds. */
const timeoutMs = 5_000;

/** How long a connection that never sent a request stays open, in milliseconds; browsers open some in advance. */
const unusedMs = 300;

/** Interval at which idle keep-alive connections are closed, in milliseconds. */
const idleCheckMs = 20;

/**
 * Returns a function that closes a server gracefully: it accepts no new connections, waits for requests in progress,
 * and then closes the remaining connections. Call this before the server listens.
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
