import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import {
  type App,
  createRecord,
  noResponse,
  type PlainResponse,
  type SentRequest,
} from '@topup-kit/core/app';
import { headers as wire } from '@topup-kit/core/contract';
import type { ObserveRequest } from '../observability/requests.ts';
import type { Watch } from '../observability/watch.ts';
import type { ClientAddresses, DirectCheck } from './client.ts';
import { createCompression } from './compression.ts';

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

  /** Returns a header's value. Node joins a repeated header into a list, which is not a valid key. */
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
        // Leaves the rest of the body unread.
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
    // Replaces TRACE, which a Request rejects. No route uses either method, and errors name the original method.
    const method = this.method === 'TRACE' ? 'OPTIONS' : this.method;
    // Routes don't depend on the host, which is fixed so that no URL contains the client's host.
    return new Request(`http://localhost${this.target}`, { method, headers });
  }
}

/** Milliseconds without progress after which a client that doesn't read its response is cut. */
const maxUnreadMs = 30_000;

/** A longer body is written in pieces of this many bytes, which show whether the client reads. Each piece takes about 20 µs. */
const pieceBytes = 1024 * 1024;

/** Writes responses, and cuts clients that don't read them. */
export interface Writer {
  write(outgoing: ServerResponse, response: PlainResponse): void;
  /** Cuts clients that have read nothing of their response for this many milliseconds. */
  cutUnread(ms: number): void;
}

/** Writes each piece after the system has accepted the previous one. */
function writeInPieces(outgoing: ServerResponse, body: Uint8Array): void {
  const rest = body.subarray(pieceBytes);
  if (rest.length === 0) outgoing.end(body);
  else if (outgoing.write(body.subarray(0, pieceBytes))) writeInPieces(outgoing, rest);
  else outgoing.once('drain', () => writeInPieces(outgoing, rest));
}

/** Writes the first half of a body, then cuts the connection. */
function writeHalf(outgoing: ServerResponse, body: PlainResponse['body']): void {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  outgoing.write(bytes.subarray(0, bytes.length >> 1), () => outgoing.destroy());
}

export function createWriter(): Writer {
  /** Responses whose clients don't read them completely, with the time when the system last accepted a piece. */
  const unread = new Map<ServerResponse, number>();

  function watch(outgoing: ServerResponse): void {
    unread.set(outgoing, performance.now());
    const cut = setTimeout(() => outgoing.destroy(), maxUnreadMs).unref();
    outgoing.on('drain', () => {
      unread.set(outgoing, performance.now());
      cut.refresh();
    });
    outgoing.once('close', () => {
      clearTimeout(cut);
      unread.delete(outgoing);
    });
  }

  return {
    write(outgoing, { status, headers, own, body, isCut }) {
      const head: string[] = [];
      for (const name in headers) head.push(name, headers[name] ?? '');
      for (const name in own) head.push(name, own[name] ?? '');
      // A response without a body may state only the length of the full response.
      const hasBody = status !== 304 && status !== 204 && outgoing.req.method !== 'HEAD';
      if (hasBody) head.push('Content-Length', String(Buffer.byteLength(body)));
      outgoing.writeHead(status, head);
      if (isCut) writeHalf(outgoing, body);
      else if (!hasBody || body.length <= pieceBytes) outgoing.end(body);
      else writeInPieces(outgoing, typeof body === 'string' ? Buffer.from(body) : body);
      if (!outgoing.writableEnded || outgoing.socket?.writableLength) watch(outgoing);
    },
    cutUnread(ms) {
      const now = performance.now();
      for (const [outgoing, since] of unread) if (now > since + ms) outgoing.destroy();
    },
  };
}

export function createRequestListener(
  app: Pick<App, 'handle'>,
  {
    write,
    addressOf,
    isDirect,
    explainRejectedKey,
    observe,
    shed,
    inRequest,
  }: {
    write: Writer['write'];
    addressOf: ClientAddresses['addressOf'];
    isDirect: DirectCheck;
    /** Adds the reason to the response for a rejected key, if the client may know it. */
    explainRejectedKey?: ((response: PlainResponse, request: IncomingMessage) => PlainResponse) | undefined;
    observe: ObserveRequest;
    /** Returns the response to reject a request with, or null to accept it. */
    shed: (request: IncomingMessage) => PlainResponse | null;
    /** Runs the handler of a request for observers. */
    inRequest?: Watch['inRequest'] | undefined;
  },
): RequestListener {
  const compress = createCompression();

  /** Returns the client's version of a response: compressed for the catalogue, explained for a rejected key. */
  function readyFor(
    incoming: IncomingMessage,
    response: PlainResponse,
  ): PlainResponse | Promise<PlainResponse> {
    const version = response.headers[wire.etag];
    if (version !== undefined) return compress(version, response, incoming.headers['accept-encoding']);
    return (response.status === 401 && explainRejectedKey?.(response, incoming)) || response;
  }

  async function serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const startedAt = performance.now();
    const request = new NodeRequest(incoming, outgoing);
    const record = createRecord(request.method);
    const connection = { address: addressOf(incoming), direct: isDirect(incoming) };
    const response = await (inRequest
      ? inRequest(incoming.headers, record, () => app.handle(request, connection, record))
      : app.handle(request, connection, record));
    const isCut = response.status === noResponse.status;
    if (isCut) outgoing.destroy();
    else {
      const ready = readyFor(incoming, response);
      const sent = ready instanceof Promise ? await ready : ready;
      // The server would only drop the rest of a body, so the client must not send another request after it.
      if (!incoming.complete) outgoing.setHeader('Connection', 'close');
      write(outgoing, sent);
    }
    record.status = incoming.socket.destroyed && !isCut ? null : response.status;
    record.ms = performance.now() - startedAt;
    observe(record);
  }

  return (incoming, outgoing) => {
    const busy = shed(incoming);
    if (busy) write(outgoing, busy);
    else void serve(incoming, outgoing);
  };
}
