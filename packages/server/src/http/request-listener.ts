import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import type { App, Connection, PlainResponse } from '@topup-kit/core/app';

const connectionOf = ({ socket }: Pick<IncomingMessage, 'socket'>): Connection => ({
  address: socket.remoteAddress ?? '',
});

/** Sent more than once, the header reads as a list of keys, which no key is. */
const keyOf = ({ headers }: IncomingMessage): string | null => {
  const key = headers['x-api-key'];
  return typeof key === 'string' ? key : null;
};

function write(response: ServerResponse, { status, headers, body }: PlainResponse): void {
  response.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(body) });
  response.end(body);
}

/**
 * Serves an app over HTTP. The list of games, most of all requests, is answered with the app's ready bytes, without a
 * Request and a Response between; the response is the same.
 */
export function createRequestListener(app: App, gameListPath: string): RequestListener {
  const serveApp = getRequestListener((request, { incoming }) => app.fetch(request, connectionOf(incoming)), {
    overrideGlobalObjects: false,
  });
  return async (request, response) => {
    if (request.method !== 'GET' || request.url !== gameListPath) return serveApp(request, response);
    write(
      response,
      await app.answerGameList(keyOf(request), connectionOf(request), request.headers.accept ?? null),
    );
  };
}
