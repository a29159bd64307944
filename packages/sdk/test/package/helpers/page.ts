import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { createMockService } from '@topup-kit/mock';

const html = '<!doctype html><link rel="icon" href="data:,"><script type="module" src="/script.js"></script>';

/** A page on loopback that runs a script. `/api` of its origin is the service; the key is added there. */
export async function servePage(script: string): Promise<AsyncDisposable & { url: string }> {
  const service = createMockService();
  const respond = async (request: IncomingMessage): Promise<Response> => {
    const { url = '/', method = 'GET' } = request;
    if (url === '/') return new Response(html, { headers: { 'Content-Type': 'text/html' } });
    if (url === '/script.js') return new Response(script, { headers: { 'Content-Type': 'text/javascript' } });
    const headers = { 'X-API-KEY': service.apiKey, 'Content-Type': 'application/json' };
    const body = method === 'GET' ? null : await text(request);
    return service.fetch(service.baseUrl + url.replace(/^\/api/, ''), { method, headers, body });
  };
  const server = createServer(async (request, outgoing) => {
    const response = await respond(request);
    outgoing.writeHead(response.status, Object.fromEntries(response.headers)).end(await response.text());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  // Safe: a server that listens on a port has an address of this type.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
