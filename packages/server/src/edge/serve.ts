import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { type App, createFacts, noResponse, type PlainResponse, type SentRequest } from '@topup-kit/core/app';
import type { ObserveRequest } from '../observability/request-log.ts';
import type { Traces } from '../observability/traces.ts';
import type { ClientAddresses } from './client-address.ts';
import { createCompression } from './compression.ts';
import type { DirectCheck } from './direct.ts';
import type { Writer } from './write.ts';

/** A request of Node's HTTP server, as the app reads it. */
class NodeRequest implements SentRequest {
  readonly method: string;
  readonly target: string;
  readonly #incoming: IncomingMessage;
  readonly #outgoing: ServerResponse;

  constructor(incoming: IncomingMessage, outgoing: ServerResponse) {
    this.method = incoming.method ?? '';
    this.target = incoming.url ?? '';
    this.#incoming = incoming;
    this.#outgoing = outgoing;
  }

  lost(): AbortSignal {
    const lost = new AbortController();
    if (this.#outgoing.destroyed) lost.abort();
    else this.#outgoing.once('close', () => lost.abort());
    return lost.signal;
  }

  /** Node joins a repeated header to a list, which is not a valid key. */
  header(name: string): string | null {
    const value = this.#incoming.headers[name.toLowerCase()];
    return typeof value === 'string' ? value : null;
  }

  headers(): readonly string[] {
    return this.#incoming.rawHeaders;
  }

  readBody(maxBytes: number): Promise<Uint8Array | null> {
    return new Promise((resolve, reject) => {
      const chunks: Buffer[] = [];
      let length = 0;
      this.#incoming.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        length += chunk.length;
        if (length <= maxBytes) return;
        // The rest is not read.
        this.#incoming.pause();
        resolve(null);
      });
      this.#incoming.once('end', () =>
        resolve(chunks.length === 1 ? (chunks[0] ?? null) : Buffer.concat(chunks)),
      );
      this.#incoming.once('error', reject);
    });
  }

  toRequest(): Request {
    const { rawHeaders } = this.#incoming;
    const headers = new Headers();
    for (let index = 0; index < rawHeaders.length; index += 2)
      headers.append(rawHeaders[index] ?? '', rawHeaders[index + 1] ?? '');
    // No route is for either, and errors name the method that was sent; but a Request takes no TRACE.
    const method = this.method === 'TRACE' ? 'OPTIONS' : this.method;
    // The routes don't depend on a host, so that no URL is built from what a client sent.
    return new Request(`http://localhost${this.target}`, { method, headers });
  }
}

/** Serves an app over HTTP. */
export function createRequestListener(
  app: Pick<App, 'handle'>,
  {
    write,
    addressOf,
    isDirect,
    explain,
    observe,
    shed,
    inRequest = (_headers, _facts, handle) => handle(),
  }: {
    write: Writer['write'];
    addressOf: ClientAddresses['addressOf'];
    isDirect: DirectCheck;
    /** Adds to a response what its client needs to know, where it may. */
    explain: (response: PlainResponse, request: IncomingMessage) => PlainResponse;
    /** Called when a request has ended. */
    observe: ObserveRequest;
    /** Returns the response that rejects a request, or null to accept it. */
    shed: (request: IncomingMessage) => PlainResponse | null;
    /** Runs what handles a request, where somebody traces it. */
    inRequest?: Traces['inRequest'] | undefined;
  },
): RequestListener {
  const compress = createCompression();

  async function serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const startedAt = performance.now();
    const facts = createFacts();
    const connection = { address: addressOf(incoming), direct: isDirect(incoming) };
    const response = await inRequest(incoming.headers, facts, () =>
      app.handle(new NodeRequest(incoming, outgoing), connection, facts),
    );
    const isCut = response.status === noResponse.status;
    if (isCut) outgoing.destroy();
    else {
      const compressed = compress(explain(response, incoming), incoming.headers['accept-encoding']);
      const sent = compressed instanceof Promise ? await compressed : compressed;
      // The rest of a body would be read only to be dropped: its client must not send another request after it.
      if (!incoming.complete) outgoing.setHeader('Connection', 'close');
      write(outgoing, sent);
    }
    const status = incoming.socket.destroyed && !isCut ? null : response.status;
    observe({ method: incoming.method ?? '', status, facts, ms: performance.now() - startedAt });
  }

  return (incoming, outgoing) => {
    const busy = shed(incoming);
    if (busy) write(outgoing, busy);
    else void serve(incoming, outgoing);
  };
}
