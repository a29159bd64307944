import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { type App, type Connection, createFacts, type PlainResponse } from '@topup-kit/core/app';
import { headers as wire } from '@topup-kit/core/contract';
import type { ObserveRequest } from '../seeing/request-log.ts';
import type { Traces } from '../seeing/traces.ts';
import type { ClientAddresses } from './client-address.ts';
import { compressWeb, createCompression, type Encoded } from './compression.ts';
import type { DirectCheck } from './direct.ts';

/** Node joins repeated headers to a list, which is not a valid key. */
const keyOf = ({ headers }: IncomingMessage): string | null => {
  const key = headers['x-api-key'];
  return typeof key === 'string' ? key : null;
};

const requestIdHeader = wire.requestId.toLowerCase();

function write(response: ServerResponse, { status, headers }: PlainResponse, encoded: Encoded): void {
  const { body } = encoded;
  // A 304 has no body, but may have the length of one only if it is that of the response that it stands for.
  const length = status === 304 ? undefined : { 'Content-Length': Buffer.byteLength(body) };
  response.writeHead(status, { ...headers, ...encoded.headers, ...length });
  response.end(body);
}

/**
 * Serves an app over HTTP. Most requests are for the list of games: they get the app's prepared bytes directly,
 * without creating a Request and a Response. The response is the same either way.
 */
export function createRequestListener(
  app: App,
  {
    gameListPath,
    addressOf,
    isDirect,
    observe,
    inRequest = (_headers, _facts, handle) => handle(),
  }: {
    /** Null when every response needs what only the router adds. */
    gameListPath: string | null;
    addressOf: ClientAddresses['addressOf'];
    isDirect: DirectCheck;
    /** Called when a request has ended. */
    observe: ObserveRequest;
    /** Runs what handles a request, where somebody traces it. */
    inRequest?: Traces['inRequest'] | undefined;
  },
): RequestListener {
  const connectionOf = (request: Parameters<DirectCheck>[0]): Connection => ({
    address: addressOf(request),
    direct: isDirect(request),
  });
  const compress = createCompression();
  const serveApp = getRequestListener(
    async (request, { incoming, outgoing }) => {
      const facts = createFacts();
      const startedAt = performance.now();
      const method = incoming.method ?? '';
      outgoing.once('close', () => {
        const status = outgoing.writableFinished ? outgoing.statusCode : null;
        observe({ method, status, facts, ms: performance.now() - startedAt });
      });
      const response = await inRequest(incoming.headers, facts, () =>
        app.fetch(request, connectionOf(incoming), facts),
      );
      // The rest of the body would be read only to be dropped: its client must not send another request after it.
      if (!incoming.complete) outgoing.setHeader('Connection', 'close');
      return compressWeb(compress, response, incoming.headers['accept-encoding']);
    },
    { overrideGlobalObjects: false },
  );
  return async (request, response) => {
    if (request.method !== 'GET' || request.url !== gameListPath) {
      // The app's routes don't depend on a host, so that no URL is built from what a client sent; `rawHeaders` keep it.
      request.headers.host = 'localhost';
      return serveApp(request, response);
    }
    const facts = createFacts();
    const startedAt = performance.now();
    const {
      accept,
      'accept-language': acceptLanguage,
      'accept-encoding': acceptEncoding,
      'if-none-match': ifNoneMatch,
      [requestIdHeader]: requestId,
    } = request.headers;
    const sent = {
      accept,
      acceptLanguage,
      requestId: typeof requestId === 'string' ? requestId : undefined,
      ifNoneMatch,
    };
    const list = await inRequest(request.headers, facts, () =>
      app.listGames(keyOf(request), connectionOf(request), sent, facts),
    );
    write(response, list, await compress(list, acceptEncoding));
    observe({ method: 'GET', status: list.status, facts, ms: performance.now() - startedAt });
  };
}
