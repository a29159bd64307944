import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ProviderName } from '@topup-kit/providers/registry';
import { startSimulators } from '../../src/index.ts';

/** 1 May 2026, 12:00 in Jakarta. */
export const start = Date.UTC(2026, 4, 1, 5);

export interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** A shop that keeps the callbacks that it gets; `answer` is its response to the next ones. */
export async function startShop() {
  const received: Received[] = [];
  const answer = { status: 200, body: '{"success":true}', headers: {} as Record<string, string> };
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    received.push({ path: request.url ?? '', headers: request.headers, body });
    response.writeHead(answer.status, answer.headers).end(answer.body);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo; // Safe: it listens on a port.
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    answer,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
  };
}

/** Simulators whose time moves only when a test moves it, and a shop that all of them call back. */
export async function startSimulated(provider: ProviderName) {
  const shop = await startShop();
  const simulators = await startSimulators({
    port: 0,
    callbackUrls: { [provider]: `${shop.url}/callback` },
    now: () => start,
  });
  const { baseUrl } = simulators.providers.find(({ name }) => name === provider) ?? { baseUrl: '' };

  async function control(path: string, body: object = {}, method = 'POST') {
    const response = await fetch(`${simulators.url}/control/${path}`, {
      method,
      headers: { 'Content-Type': 'application/json' },
      ...(method === 'POST' && { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: JSON.parse(await response.text()) };
  }

  return {
    simulators,
    shop,
    baseUrl,
    control,
    /** Does what the control route of the provider does. */
    act: (action: string, body: object = {}) => control(`${provider}/${action}`, body),
    fault: (fault: string, more: object = {}) => control('faults', { provider, fault, ...more }),
    /** Moves the simulators' time; callbacks that are due have been sent then. */
    advance: (seconds: number) => control('advance', { seconds }),
    books: async () => (await control(`books/${provider}`, {}, 'GET')).body,
    calls: async () => (await control(`calls?provider=${provider}`, {}, 'GET')).body.calls,
    async [Symbol.asyncDispose]() {
      await simulators.close();
      await shop[Symbol.asyncDispose]();
    },
  };
}
