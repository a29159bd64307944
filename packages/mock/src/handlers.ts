import { ownPaths, pictureFolders } from '@topup-kit/core/app';
import { type Operation, routes } from '@topup-kit/core/contract';
import type { HttpHandler } from 'msw';
import type { SetupWorker } from 'msw/browser';
import type { SetupServer } from 'msw/node';
import type { Exchange } from './exchange.ts';
import { http, importMswBrowser, importMswNode } from './msw.ts';
import type { MockConfig } from './options.ts';

/** Converts `/games/{slug}` to MSW's syntax. */
const mswPath = (path: string): string => path.replace(/\{(\w+)\}/g, ':$1');

export const mswMethods = { GET: http.get, POST: http.post };

/** The URL pattern of an operation, in MSW's syntax. */
export const mswRoute = ({ baseUrl }: MockConfig, operation: Operation): string =>
  baseUrl + mswPath(routes[operation].path);

/** MSW tries the handlers in order, so the most frequent operations come first. */
const byUse = [
  'getPaymentStatus',
  'listGames',
  'getGame',
  'getCheckout',
  'createOrder',
  'getInvoice',
  'validatePromo',
  'checkAccount',
  'listOrders',
  'listEvents',
] as const satisfies Operation[];

/** MSW prints errors that a handler throws. Nobody reads the response to an aborted request, so its error is ignored. */
export const unlessAborted = (request: Request, response: Promise<Response>): Promise<Response> =>
  response.catch((error: unknown) => {
    if (request.signal.aborted) return Response.error();
    throw error;
  });

/**
 * Creates one handler for each operation, one for all other requests to the interface, which the service rejects as usual, and handlers
 * for the pictures that responses link to.
 */
export function createHandlers(config: MockConfig, exchange: Exchange): HttpHandler[] {
  const { origin, baseUrl } = config;
  const respond = ({ request }: { request: Request }): Promise<Response> =>
    unlessAborted(request, exchange(request));
  /** Draws a picture. A page may have its own files in the folders of the mock's pictures; requests for them are passed through. */
  const draw = async ({ request }: { request: Request }): Promise<Response | undefined> => {
    const response = await unlessAborted(request, exchange(request));
    return response.ok ? response : undefined;
  };
  return [
    ...byUse.map((operation) => mswMethods[routes[operation].method](mswRoute(config, operation), respond)),
    http.all(`${baseUrl}/*`, respond),
    http.all(baseUrl, respond),
    ...Object.values(pictureFolders).map((folder) => http.get(`${origin}${folder}/:file`, draw)),
    http.get(`${origin}${ownPaths.pay}/:reference/qr.svg`, draw),
  ];
}

export async function setupMockServer(handlers: readonly HttpHandler[]): Promise<SetupServer> {
  const { setupServer } = await importMswNode();
  return setupServer(...handlers);
}

export async function setupMockWorker(handlers: readonly HttpHandler[]): Promise<SetupWorker> {
  const { setupWorker } = await importMswBrowser();
  return setupWorker(...handlers);
}
