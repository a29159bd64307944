import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type RunningServer, readConfig, startServer } from '@topup-kit/server';

/** A real sandbox server on a free port. */
export const startSandbox = (store = 'memory:'): Promise<RunningServer> =>
  startServer(readConfig({ TOPUP_MODE: 'sandbox', TOPUP_STORE: store, PORT: '0' }));

/** A service that answers as a test says, and what it was asked. */
export async function startService(answer: RequestListener) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    answer(request, response);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo; // safe: it listens on a port, not on a pipe
  return {
    asked,
    baseUrl: `http://127.0.0.1:${port}/api`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
  };
}

/** A base URL at which nobody listens, any more. */
export async function closedBaseUrl(): Promise<string> {
  await using service = await startService(() => {});
  return service.baseUrl;
}

export const startJsonService = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  startService((_request, response) => {
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(body));
  });
