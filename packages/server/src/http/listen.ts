import { once } from 'node:events';
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { isIPv6 } from 'node:net';
import { ConfigError } from '../config/variable.ts';

const reasons: ReadonlyMap<unknown, string> = new Map([
  ['EADDRINUSE', 'is already taken by another program; stop it, or set PORT (or --port) to a free port'],
  ['EACCES', 'may not be opened by this user; set PORT (or --port) to a port above 1023'],
]);

/** The system has many codes for an address that is wrong, and for a name that is none. */
const wrongAddress = 'is not an address of this machine; set HOST (or --host)';

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
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    const reason = reasons.get(code) ?? `${wrongAddress} (${code})`;
    throw new ConfigError(`${host}:${port} ${reason}.`, { cause: error });
  }
  const address = server.address();
  return urlOf(host, typeof address === 'object' && address !== null ? address.port : port);
}

/** Requests that wait while the server starts, and while it closes its port. */
export interface HeldRequests extends Disposable {
  /** Handles a request, now or later. */
  serve: RequestListener;
  /** Handles the requests that are waiting, and from now on every request at once. */
  release(listener: RequestListener): void;
  /** Lets new requests wait again; returns a function that handles them after all. */
  pause(): () => void;
}

/** Lets requests wait until the server can handle them; disposing before then breaks their connections. */
export function holdRequests(): HeldRequests {
  const waiting: [IncomingMessage, ServerResponse & { req: IncomingMessage }][] = [];
  const hold: RequestListener = (request, response) => void waiting.push([request, response]);
  let serve = hold;
  const release = (listener: RequestListener): void => {
    serve = listener;
    for (const [request, response] of waiting.splice(0)) listener(request, response);
  };
  return {
    serve: (request, response) => serve(request, response),
    release,
    pause() {
      const listener = serve;
      serve = hold;
      return () => release(listener);
    },
    [Symbol.dispose]() {
      for (const [request] of waiting.splice(0)) request.destroy();
    },
  };
}
