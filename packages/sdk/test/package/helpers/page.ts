import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { createMockService } from '@topup-kit/mock';

const html = '<!doctype html><link rel="icon" href="data:,"><script type="module" src="/script.js"></script>';

/** A page on loopback that runs a script, on an origin whose `/api` is the service, key added on the way. */
export async function servePage(script: string): Promise<AsyncDisposable & { url: string }> {
  const service = createMockService();
  const answer = async (request: IncomingMessage): Promise<Response> => {
    const { url = '/', method = 'GET' } = request;
    if (url === '/') return new Response(html, { headers: { 'Content-Type': 'text/html' } });
    if (url === '/script.js') return new Response(script, { headers: { 'Content-Type': 'text/javascript' } });
    const headers = { 'X-API-KEY': service.apiKey, 'Content-Type': 'application/json' };
    const body = method === 'GET' ? null : await text(request);
    return service.fetch(service.baseUrl + url.replace(/^\/api/, ''), { method, headers, body });
  };
  const server = createServer(async (request, response) => {
    const answered = await answer(request);
    response.writeHead(answered.status, Object.fromEntries(answered.headers)).end(await answered.text());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  // safe: a server that listens on a port has such an address
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
