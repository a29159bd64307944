import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { createTopupProxy, type TopupProxy } from '@topup-kit/sdk/proxy';
import type { Connect, Plugin } from 'vite';
import { findSandbox, type Service } from './sandbox.ts';

/** The path of the service for the page. */
const basePath = '/api/topup';

/** The service of the environment, or else the sandbox of this process. */
async function findService(): Promise<Service> {
  const { TOPUP_BASE_URL: baseUrl, TOPUP_API_KEY: apiKey } = process.env;
  if (!baseUrl) return findSandbox();
  if (!apiKey) throw new Error('TOPUP_API_KEY is missing: set the key of the service at TOPUP_BASE_URL.');
  return { baseUrl, apiKey };
}

/** Answers a request of the page with the response of the service. */
async function respond(
  proxy: TopupProxy,
  incoming: Connect.IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { method = 'GET', headers, socket } = incoming;
  const url = new URL(incoming.originalUrl ?? '/', `http://${headers.host}`);
  const request = new Request(url, {
    method,
    // Safe: Node returns an array only for Set-Cookie, which requests don't have.
    headers: headers as Record<string, string>,
    // Safe: Node and the DOM have types for the same class.
    ...(method === 'POST' && { body: Readable.toWeb(incoming) as ReadableStream, duplex: 'half' }),
  });
  const answer = await proxy(request, { address: socket.remoteAddress });
  response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text());
}

async function mount(middlewares: Connect.Server): Promise<void> {
  // Vitest reads the configuration of Vite, too, and the tests need no service.
  if (process.env.VITEST) return;
  const { baseUrl, apiKey } = await findService();
  const proxy = createTopupProxy({ baseUrl, apiKey, basePath });
  middlewares.use((request, response, next) => {
    if (request.url?.startsWith(`${basePath}/`)) respond(proxy, request, response).catch(next);
    else next();
  });
}

/** Adds the SDK's proxy to the Vite server, so that the page needs no key. In production, mount it on your own server. */
export const topupProxy = (): Plugin => ({
  name: 'topup-proxy',
  configureServer: ({ middlewares }) => mount(middlewares),
  configurePreviewServer: ({ middlewares }) => mount(middlewares),
});
