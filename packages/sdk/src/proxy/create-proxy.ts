import { headers as names } from '@topup-kit/core/contract';
import { type BrowserResponse, toBrowserResponse } from './browser-response.ts';
import { callService } from './call-service.ts';
import { matchRoutes } from './match-route.ts';
import { checkOptions, type TopupProxyOptions } from './options.ts';
import { checkRequestOrigin, type OriginCheck, preflightHeaders } from './origins.ts';
import { ProxyError } from './proxy-error.ts';
import { type CountRequest, clientName, createRateLimiter } from './rate-limiter.ts';
import { readRequestBody } from './read-body.ts';

/** Who sent a request: what a `Request` does not tell. */
export interface ProxyClient {
  /**
   * The address whose requests are counted, such as the socket's. Take it from `X-Forwarded-For` only behind a
   * proxy of your own that sets it: anybody can send that header. All requests without an address are counted as
   * one client's.
   */
  address: string | null | undefined;
}

/** Answers a browser's request; never rejects. */
export type TopupProxy = (request: Request, client: ProxyClient) => Promise<Response>;

/**
 * Makes the handler that lets pages use the service without its key (source: ours; interface 5.3). It goes on your
 * server, under `basePath`; the page's client has that path as `baseUrl`, and no key.
 *
 * A browser reaches the operations of `routes` and nothing else of the service. What the proxy refuses itself has the
 * general envelope of interface 7.1: 403 `FORBIDDEN` (a page of another site), 404 `ROUTE_NOT_FOUND`, 405, 408, 413,
 * 415; a 429 its `message` alone. A service that cannot be reached or refuses the key is a 503 `UNAVAILABLE`:
 * nothing was done. One that breaks off or redirects is a 502 `BAD_GATEWAY`, one that takes too long a 504
 * `GATEWAY_TIMEOUT`: an order may have been made then. The proxy sends nothing twice.
 *
 * @throws TopupUsageError `INVALID_BASE_URL`, `INVALID_API_KEY` or `INVALID_PROXY_OPTION`
 *
 * @example
 * ```ts
 * const proxy = createTopupProxy({ baseUrl, apiKey: 'tk_live_...', basePath: '/api/topup' });
 * const response = await proxy(new Request('https://site.example/api/topup/games'), { address: '203.0.113.7' });
 * ```
 */
export function createTopupProxy(options: TopupProxyOptions): TopupProxy {
  const config = checkOptions(options);
  const count: CountRequest = config.rateLimit ? createRateLimiter(config.rateLimit) : () => ({});

  return async (request, client) => {
    const url = URL.parse(request.url, nowhere) ?? new URL(nowhere);
    const origin = checkRequestOrigin(request, url.origin, config.origins);
    try {
      return respond(await handle(request, url.pathname, origin, client?.address), origin);
    } catch (error) {
      if (error instanceof ProxyError) return respond(errorResponse(error), origin);
      throw error;
    }
  };

  async function handle(
    request: Request,
    pathname: string,
    origin: OriginCheck,
    address: string | null | undefined,
  ): Promise<BrowserResponse> {
    if (!origin.allowed) throw new ProxyError('FORBIDDEN');
    const targets = matchRoutes(pathname, config.basePath, config.routes);
    if (targets.length === 0) throw new ProxyError('ROUTE_NOT_FOUND');
    const methods = targets.map(({ method }) => method).join(', ');
    if (origin.named && isPreflight(request))
      return { status: 204, headers: preflightHeaders(methods), body: null };
    const target = targets.find(({ method }) => method === request.method);
    if (!target) throw new ProxyError('METHOD_NOT_ALLOWED', { Allow: methods });
    const counted = count(target.operation === 'createOrder' ? 'orders' : 'reads', clientName(address));
    const body = target.method === 'POST' ? await readRequestBody(request, config) : null;
    const response = await callService(target, body, request.headers.get(names.idempotencyKey), config);
    return toBrowserResponse(response, config.apiKey, counted);
  }
}

/** Where a URL is taken to be that is relative, or none. */
const nowhere = 'http://proxy.invalid';

const isPreflight = ({ method, headers }: Request): boolean =>
  method === 'OPTIONS' && headers.has('Access-Control-Request-Method');

const errorResponse = (error: ProxyError): BrowserResponse => ({
  status: error.status,
  headers: { ...error.headers, [names.errorCode]: error.code },
  body: error.body,
});

/** Gives an answer what every answer has: nobody may keep it, or take it for anything but JSON. */
function respond({ status, headers, body }: BrowserResponse, origin: OriginCheck): Response {
  return new Response(body, {
    status,
    headers: {
      ...origin.headers,
      ...headers,
      ...(body !== null && { 'Content-Type': 'application/json' }),
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
    },
  });
}
