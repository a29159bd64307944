import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { hooksCertificate } from './hooks-certificate.ts';

export interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

export interface Endpoint {
  port: number;
  /** Requests that were received whole. */
  received: Received[];
  /** How many connections were made to it. */
  connections(): number;
  /** How many of them are open. */
  open(): number;
}

async function listen(server: Server, received: Received[] = []): Promise<Endpoint> {
  const sockets = new Set<Socket>();
  let connections = 0;
  server.on('connection', (socket: Socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  // Safe: it listens on a port.
  const { port } = server.address() as AddressInfo;
  return { port, received, connections: () => connections, open: () => sockets.size };
}

type Respond = (response: ServerResponse, request: Received) => void;

function listenerFor(received: Received[], respond: Respond): RequestListener {
  return async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const whole = { path: request.url ?? '', headers: request.headers, body };
    received.push(whole);
    respond(response, whole);
  };
}

/** An endpoint on 127.0.0.1 that responds as it is told, over http. */
export function startEndpoint(respond: Respond): Promise<Endpoint> {
  const received: Received[] = [];
  return listen(createServer(listenerFor(received, respond)), received);
}

/** The same over https, as `hooks.example`. */
export function startSecureEndpoint(respond: Respond): Promise<Endpoint> {
  const received: Received[] = [];
  return listen(createSecureServer(hooksCertificate, listenerFor(received, respond)), received);
}

/** What does as it is told with each connection. */
export const startTcpEndpoint = (connected: (socket: Socket) => void): Promise<Endpoint> =>
  listen(createTcpServer(connected));
