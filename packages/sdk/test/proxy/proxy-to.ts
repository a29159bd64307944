import { createTopupProxy, type Fetch, type TopupProxyOptions } from '../../src/proxy/index.ts';

export const apiKey = 'tk_live_canary-of-the-proxy';
export const site = 'https://site.example';
export const visitor = { address: '203.0.113.7' };

/** A proxy at `/api/topup`, and the requests that it sent to a service with the given responses. */
export function proxyTo(
  service: (request: Request) => Response | Promise<Response>,
  options: Partial<TopupProxyOptions> = {},
) {
  const sent: Request[] = [];
  const fetch: Fetch = async (request) => {
    sent.push(request);
    return service(request);
  };
  const proxy = createTopupProxy({
    baseUrl: 'https://shop.example/v1/api',
    apiKey,
    basePath: '/api/topup',
    fetch,
    ...options,
  });
  const ask = (path: string, init?: RequestInit, client = visitor) =>
    proxy(new Request(`${site}/api/topup${path}`, init), client);
  return { proxy, ask, sent };
}

export const games = () => Response.json({ success: true, games: [], populerGames: [] });

/** A POST of an order, as sent by the SDK. */
export const order = (body = '{"game":"mobile-legends"}', headers: Record<string, string> = {}) => ({
  method: 'POST',
  headers: { 'Content-Type': 'application/json', ...headers },
  body,
});
