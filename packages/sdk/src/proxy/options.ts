import type { Operation } from '@topup-kit/core/contract';
import type { Fetch } from '../options.ts';

/** Requests that one client address may make in a minute. */
export interface ProxyRateLimit {
  /**
   * All that makes no order; 120 when left out.
   *
   * @example
   * ```ts
   * createTopupProxy({ baseUrl, apiKey: 'tk_live_...', basePath: '/api/topup', rateLimit: { reads: 300 } });
   * ```
   */
  reads?: number | undefined;
  /**
   * `createOrder`; 20 when left out.
   *
   * @example
   * ```ts
   * createTopupProxy({ baseUrl, apiKey: 'tk_live_...', basePath: '/api/topup', rateLimit: { orders: 5 } });
   * ```
   */
  orders?: number | undefined;
}

/** Options of `createTopupProxy`. */
export interface TopupProxyOptions {
  /**
   * Where the service's paths begin (`{base_url}` of the interface): an absolute http(s) URL without
   * credentials, query or fragment. Requests go there and nowhere else.
   *
   * @example
   * ```ts
   * createTopupProxy({ baseUrl: 'https://shop.example/api', apiKey: 'tk_live_...', basePath: '/api/topup' });
   * ```
   */
  baseUrl: string;
  /**
   * Sent to the service as `X-API-KEY` (interface 5): at least 8 visible ASCII characters. No answer holds it. An
   * undefined one, from an environment without it, is refused at once.
   *
   * @example
   * ```ts
   * createTopupProxy({ baseUrl, apiKey: process.env.TOPUP_API_KEY ?? 'tk_live_...', basePath: '/api/topup' });
   * ```
   */
  apiKey: string | undefined;
  /**
   * The path that your server mounts the proxy at: what the browser's client has as `baseUrl`.
   *
   * @example
   * ```ts
   * createTopupProxy({ baseUrl, apiKey: 'tk_live_...', basePath: '/api/topup' });
   * ```
   */
  basePath: string;
  /**
   * Operations that a browser may call. When left out: all but `getInvoice`, which shows the phone number and
   * e-mail address of whoever ordered to anyone who has the order id.
   *
   * @example
   * ```ts
   * createTopupProxy({ baseUrl, apiKey: 'tk_live_...', basePath: '/api/topup', routes: ['listGames', 'getGame'] });
   * ```
   */
  routes?: readonly Operation[] | undefined;
  /**
   * Other origins whose pages may use the proxy, as browsers send them; its own always may. None when left
   * out.
   *
   * @example
   * ```ts
   * createTopupProxy({ baseUrl, apiKey: 'tk_live_...', basePath: '/api/topup', origins: ['https://site.example'] });
   * ```
   */
  origins?: readonly string[] | undefined;
  /**
   * The longest request body, in bytes; 65 536 (64 KiB) when left out.
   *
   * @example
   * ```ts
   * createTopupProxy({ baseUrl, apiKey: 'tk_live_...', basePath: '/api/topup', maxBodyBytes: 4_096 });
   * ```
   */
  maxBodyBytes?: number | undefined;
  /**
   * The proxy's own limits for each client address, counted in this process alone; `false` for none, where
   * something in front of it counts.
   *
   * @example
   * ```ts
   * createTopupProxy({ baseUrl, apiKey: 'tk_live_...', basePath: '/api/topup', rateLimit: false });
   * ```
   */
  rateLimit?: ProxyRateLimit | false | undefined;
  /**
   * Called for every request to the service instead of the runtime's `fetch`; also the place to log from.
   *
   * @example
   * ```ts
   * createTopupProxy({
   *   baseUrl,
   *   apiKey: 'tk_live_...',
   *   basePath: '/api/topup',
   *   fetch: async (request) => {
   *     const response = await fetch(request);
   *     if (!response.ok) logger.warn('the service refused', { url: request.url, status: response.status });
   *     return response;
   *   },
   * });
   * ```
   */
  fetch?: Fetch | undefined;
  /**
   * Time for the service's whole answer, in milliseconds, and again for reading the browser's body; 30 000 when
   * left out.
   *
   * @example
   * ```ts
   * createTopupProxy({ baseUrl, apiKey: 'tk_live_...', basePath: '/api/topup', timeout: 10_000 });
   * ```
   */
  timeout?: number | undefined;
}

/** What `routes` is when it is left out: all that a checkout needs and nothing that shows who ordered. */
export const defaultRoutes = [
  'listGames',
  'getGame',
  'getCheckout',
  'createOrder',
  'getPaymentStatus',
  'validatePromo',
] as const satisfies readonly Operation[];
