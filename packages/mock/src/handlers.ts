import { pictureFolders } from '@topup-kit/core/app';
import { type Operation, routes } from '@topup-kit/core/contract';
import type { SetupWorker } from 'msw/browser';
import { type HttpHandler, http } from 'msw/http';
import type { SetupServer } from 'msw/node';
import type { Exchange } from './exchange.ts';
import type { MockConfig } from './options.ts';

/** `/games/{slug}` as MSW writes it. */
const mswPath = (path: string): string => path.replace(/\{(\w+)\}/g, ':$1');

export const mswMethods = { GET: http.get, POST: http.post };

/** Where an operation is, as MSW writes it. */
export const mswRoute = ({ baseUrl }: MockConfig, operation: Operation): string =>
  baseUrl + mswPath(routes[operation].path);

/** MSW asks one handler after the other, so what is called most comes first. */
const byUse = [
  'getPaymentStatus',
  'listGames',
  'getGame',
  'getCheckout',
  'createOrder',
  'getInvoice',
  'validatePromo',
] as const satisfies Operation[];

/**
 * One handler for each operation, one for any other request to the interface, which the service rejects as usual, and
 * those for the pictures that responses point to.
 */
export function createHandlers(config: MockConfig, exchange: Exchange): HttpHandler[] {
  const { origin, baseUrl } = config;
  const respond = ({ request }: { request: Request }): Promise<Response> => exchange(request);
  /** A page may have files of its own beside the mock's pictures: requests for those are passed through. */
  const draw = async ({ request }: { request: Request }): Promise<Response | undefined> => {
    const response = await exchange(request);
    return response.ok ? response : undefined;
  };
  return [
    ...byUse.map((operation) => mswMethods[routes[operation].method](mswRoute(config, operation), respond)),
    http.all(`${baseUrl}/*`, respond),
    http.all(baseUrl, respond),
    ...Object.values(pictureFolders).map((folder) => http.get(`${origin}${folder}/:file`, draw)),
    http.get(`${origin}/pay/:reference/qr.svg`, draw),
  ];
}

/**
 * Loaded by a name that bundlers don't follow: for a browser there is no `msw/node`, and a bundle for one would fail
 * to build over it.
 */
export async function setupMockServer(handlers: readonly HttpHandler[]): Promise<SetupServer> {
  const entry = 'msw/node';
  // safe: what that entry is
  const { setupServer } = (await import(/* @vite-ignore */ /* webpackIgnore: true */ entry)) as {
    setupServer(...handlers: HttpHandler[]): SetupServer;
  };
  return setupServer(...handlers);
}

export async function setupMockWorker(handlers: readonly HttpHandler[]): Promise<SetupWorker> {
  const { setupWorker } = await import('msw/browser');
  return setupWorker(...handlers);
}
