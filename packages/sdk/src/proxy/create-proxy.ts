import { headers as names } from '@topup-kit/core/contract';
import { clientName, createRateLimiter, parseUrl, type RatePolicy } from '@topup-kit/core/http';
import { TopupUsageError } from '../errors/index.ts';
import { ProxyError } from '../errors/proxy-error.ts';
import { callObserver } from '../sending/observe.ts';
import { type BrowserResponse, toBrowserResponse } from './browser-response.ts';
import { callService } from './call-service.ts';
import { matchRoutes } from './match-route.ts';
import { checkOptions, type TopupProxyOptions } from './options.ts';
import { checkRequestOrigin, type OriginCheck, preflightHeaders } from './origins.ts';
import { readRequestBody } from './read-body.ts';

/** Information about the client that is not part of a `Request`. */
export interface ProxyClient {
  /**
   * The client's address for the rate limit, such as the address of the socket. Use `X-Forwarded-For` only behind your own reverse proxy
   * that sets it, because any client can send this header. All requests without an address share one limit.
   */
  address: string | null | undefined;
}

/** Handles a browser's request and resolves with the response. It never rejects for errors of the browser or of the service. */
export type TopupProxy = (request: Request, client: ProxyClient) => Promise<Response>;

/**
 * Creates a handler for your server that lets browsers use the service without its API key (interface 5.3). Mount it at `basePath`; the
 * client in the page uses this path as `baseUrl`, without a key.
 *
 * Browsers can call only the operations in `routes`. The proxy's own errors have the general error body of interface 7.1: 403 `FORBIDDEN`
 * (a page of another site), 404 `ROUTE_NOT_FOUND`, 405, 408, 413, 415; a 429 has only a `message`. If the service is unreachable or rejects
 * the key, the status is 503 `UNAVAILABLE`, and nothing was done. If the service breaks the connection or redirects, the status is 502
 * `BAD_GATEWAY`. If the service is too slow, the status is 504 `GATEWAY_TIMEOUT`. In both cases, an order may have been created. The proxy
 * never retries.
 *
 * @throws TopupUsageError with code `INVALID_BASE_URL`, `INVALID_API_KEY`, `API_KEY_IN_BROWSER`, `INVALID_OPTION` (there is no such option)
 * or `INVALID_PROXY_OPTION`
 *
 * @example
 * ```ts
 * const proxy = createTopupProxy({ baseUrl, apiKey: 'tk_live_...', basePath: '/api/topup' });
 * const response = await proxy(new Request('https://site.example/api/topup/games'), { address: '203.0.113.7' });
 * ```
 */
export function createTopupProxy(options: TopupProxyOptions): TopupProxy {
  const config = checkOptions(options);
  const limiter =
    config.rateLimit && createRateLimiter(config.rateLimit, { clock: () => performance.now(), maxWindows });

  const warned = new Set<string>();

  /** Counts a request and returns the rate-limit headers. Throws RATE_LIMITED when the limit is exceeded. */
  function count(policy: RatePolicy, client: string): Record<string, string> {
    if (!limiter) return {};
    const { allowed, headers } = limiter(policy, client);
    if (!allowed) throw new ProxyError('RATE_LIMITED', { headers });
    return headers;
  }

  return async (request, client) => {
    if (typeof request?.headers?.get !== 'function')
      throw new TopupUsageError(
        'INVALID_REQUEST',
        'The proxy takes a Request of the Fetch standard, not a request of Node or Express: see the examples for both.',
      );
    const url = parseUrl(request.url, placeholderOrigin) ?? new URL(placeholderOrigin);
    const origin = checkRequestOrigin(request, url.origin, config.origins);
    try {
      return respond(await handle(request, url.pathname, origin, client?.address), origin);
    } catch (error) {
      if (!(error instanceof ProxyError)) throw error;
      if (error.reason) warn(error.reason);
      return respond(errorResponse(error), origin);
    }
  };

  /** Warns the operator of a problem with the service: in the logger, or once per reason on the console. */
  function warn(reason: string): void {
    const { baseUrl, logger } = config;
    const text = `topup-proxy: ${baseUrl}: ${reason}.`;
    if (logger) return void callObserver(() => logger.warn(text, { baseUrl }));
    if (warned.has(reason)) return;
    warned.add(reason);
    // biome-ignore lint/suspicious/noConsole: without a logger, nobody would see why browsers get a 503.
    console.warn(`${text} This warning appears once; the option logger gets every warning.`);
  }

  async function handle(
    request: Request,
    pathname: string,
    origin: OriginCheck,
    address: string | null | undefined,
  ): Promise<BrowserResponse> {
    if (!origin.allowed)
      throw new ProxyError('FORBIDDEN', { hint: " List the page's origin in the proxy's option origins." });
    const targets = matchRoutes(pathname, config.basePath, config.routes);
    if (targets.length === 0) {
      const outside = ` ${pathname} is not below its basePath ${config.basePath}.`;
      const hint = pathname.startsWith(`${config.basePath}/`) ? '' : outside;
      throw new ProxyError('ROUTE_NOT_FOUND', { hint });
    }
    const methods = targets.map(({ method }) => method).join(', ');
    if (origin.listed && isPreflight(request))
      return { status: 204, headers: preflightHeaders(methods), body: null };
    const target = targets.find(({ method }) => method === request.method);
    if (!target) throw new ProxyError('METHOD_NOT_ALLOWED', { headers: { Allow: methods } });
    const limits = count(target.operation === 'createOrder' ? 'orders' : 'reads', clientName(address));
    const body = target.method === 'POST' ? await readRequestBody(request, config) : null;
    const response = await callService(target, body, request.headers, address, config);
    return toBrowserResponse(response, config.apiKey, limits);
  }
}

/** Maximum number of counted clients, for a few megabytes. If more clients send requests within a minute, the oldest counts are reset. */
const maxWindows = 10_000;

/** Base for the URL of a request that is relative or invalid. */
const placeholderOrigin = 'http://proxy.invalid';

const isPreflight = ({ method, headers }: Request): boolean =>
  method === 'OPTIONS' && headers.has('Access-Control-Request-Method');

const errorResponse = (error: ProxyError): BrowserResponse => ({
  status: error.status,
  headers: { ...error.headers, [names.errorCode]: error.code },
  body: error.body,
});

/** Returns the value of `Vary`: the browser's origin, its language, or both. */
function varyOf(...parts: Record<string, string>[]): Record<string, string> {
  const names = parts.flatMap(({ Vary }) => Vary ?? []);
  return names.length === 0 ? {} : { Vary: names.join(', ') };
}

/** Creates the response, with headers that forbid caching and content sniffing. */
function respond({ status, headers, body }: BrowserResponse, origin: OriginCheck): Response {
  return new Response(body, {
    status,
    headers: {
      ...headers,
      ...origin.headers,
      ...varyOf(origin.headers, headers),
      ...(body !== null && { 'Content-Type': 'application/json' }),
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
    },
  });
}
