import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import type { Answer, App } from '@topup-kit/core/app';
import type { Site } from '../site.ts';
import { connectionOf } from './connection.ts';

/** Sent more than once, the header reads as a list of keys, which no key is. */
const keyOf = ({ headers }: IncomingMessage): string | null => {
  const key = headers['x-api-key'];
  return typeof key === 'string' ? key : null;
};

function write(response: ServerResponse, { status, headers, body }: Answer): void {
  response.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(body) });
  response.end(body);
}

/**
 * Serves a site over HTTP. The list of games, most of all requests, is answered with the app's ready bytes, without
 * a Request and a Response between; the answer is the same.
 */
export function createRequestListener(deps: {
  site: Site;
  app: Pick<App, 'answerGameList'>;
  gameListPath: string;
}): RequestListener {
  const { site, app, gameListPath } = deps;
  const serveSite = getRequestListener((request, bindings) => site.fetch(request, bindings), {
    overrideGlobalObjects: false,
  });
  return async (request, response) => {
    if (request.method !== 'GET' || request.url !== gameListPath) return serveSite(request, response);
    write(
      response,
      await app.answerGameList(keyOf(request), connectionOf(request), request.headers.accept ?? null),
    );
  };
}
