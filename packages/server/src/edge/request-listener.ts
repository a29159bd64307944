import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import {
  type App,
  type Connection,
  createFacts,
  type MatchedOperation,
  type MatchOperation,
  type PlainResponse,
  type SentRequest,
} from '@topup-kit/core/app';
import type { ObserveRequest } from '../seeing/request-log.ts';
import type { Traces } from '../seeing/traces.ts';
import type { ClientAddresses } from './client-address.ts';
import { compressWeb, createCompression } from './compression.ts';
import type { DirectCheck } from './direct.ts';

/** Reads a body; null as soon as it is longer than `maxBytes`. The rest of it is then not read. */
const readBody = (incoming: IncomingMessage, maxBytes: number): Promise<Uint8Array | null> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    incoming.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      length += chunk.length;
      if (length <= maxBytes) return;
      incoming.pause();
      resolve(null);
    });
    incoming.once('end', () => resolve(chunks.length === 1 ? (chunks[0] ?? null) : Buffer.concat(chunks)));
    incoming.once('error', reject);
  });

/** What an operation reads of a request. Node joins a repeated header to a list, which is not a valid key. */
const sentRequest = (incoming: IncomingMessage): SentRequest => ({
  header(name) {
    const value = incoming.headers[name.toLowerCase()];
    return typeof value === 'string' ? value : null;
  },
  readBody: (maxBytes) => readBody(incoming, maxBytes),
});

/** The rest of a body would be read only to be dropped: its client must not send another request after it. */
function closeAfterUnreadBody(
  incoming: Pick<IncomingMessage, 'complete'>,
  outgoing: { setHeader(name: string, value: string): unknown },
): void {
  if (!incoming.complete) outgoing.setHeader('Connection', 'close');
}

function write(
  response: ServerResponse,
  { status, headers, body }: PlainResponse,
  more: PlainResponse['headers'] = {},
): void {
  const head: string[] = [];
  for (const some of [headers, more]) for (const name in some) head.push(name, some[name] ?? '');
  // A 304 has no body, but may have the length of one only if it is that of the response that it stands for.
  if (status !== 304) head.push('Content-Length', String(Buffer.byteLength(body)));
  response.writeHead(status, head);
  response.end(body);
}

/**
 * Serves an app over HTTP. Requests to operations get the app's responses as plain data, without creating a Request and a
 * Response. They are the same either way.
 */
export function createRequestListener(
  app: App,
  {
    matchOperation,
    addressOf,
    isDirect,
    observe,
    shed,
    inRequest = (_headers, _facts, handle) => handle(),
  }: {
    /** Finds the operations that can be called directly. */
    matchOperation: MatchOperation;
    addressOf: ClientAddresses['addressOf'];
    isDirect: DirectCheck;
    /** Called when a request has ended. */
    observe: ObserveRequest;
    /** Returns the response that rejects a request, or null to accept it. */
    shed: (request: IncomingMessage) => PlainResponse | null;
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
      closeAfterUnreadBody(incoming, outgoing);
      return compressWeb(compress, response, incoming.headers['accept-encoding']);
    },
    { overrideGlobalObjects: false },
  );

  async function operate(
    matched: MatchedOperation,
    incoming: IncomingMessage,
    outgoing: ServerResponse,
  ): Promise<void> {
    const startedAt = performance.now();
    const facts = createFacts();
    const response = await inRequest(incoming.headers, facts, () =>
      app.operate(matched, sentRequest(incoming), connectionOf(incoming), facts),
    );
    const encoding = compress(response, incoming.headers['accept-encoding']);
    const encoded = encoding instanceof Promise ? await encoding : encoding;
    closeAfterUnreadBody(incoming, outgoing);
    write(outgoing, { ...response, body: encoded.body }, encoded.headers);
    const status = incoming.socket.destroyed ? null : response.status;
    observe({ method: incoming.method ?? '', status, facts, ms: performance.now() - startedAt });
  }

  return (incoming, outgoing) => {
    const busy = shed(incoming);
    if (busy) return write(outgoing, busy);
    const matched = matchOperation(incoming.method ?? '', incoming.url ?? '');
    if (matched) return operate(matched, incoming, outgoing);
    // The app's routes don't depend on a host, so that no URL is built from what a client sent; `rawHeaders` keep it.
    incoming.headers.host = 'localhost';
    return serveApp(incoming, outgoing);
  };
}
