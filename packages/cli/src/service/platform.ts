import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Platform } from '@topup-kit/sdk/internal/client';
import { isLoopback } from './connection.ts';

/** Headers. They are not validated here, because Node validates them. */
class HttpHeaders {
  readonly #values = new Map<string, string>();

  constructor(given: HeadersInit = {}) {
    const pairs = Symbol.iterator in given ? given : Object.entries(given);
    for (const [name = '', value = ''] of pairs) this.set(name, value);
  }

  get(name: string): string | null {
    return this.#values.get(name.toLowerCase()) ?? null;
  }

  has(name: string): boolean {
    return this.#values.has(name.toLowerCase());
  }

  set(name: string, value: string): void {
    this.#values.set(name.toLowerCase(), value);
  }

  append(name: string, value: string): void {
    const before = this.get(name);
    this.set(name, before === null ? value : `${before}, ${value}`);
  }

  delete(name: string): void {
    this.#values.delete(name.toLowerCase());
  }

  forEach(each: (value: string, name: string) => void): void {
    this.#values.forEach(each);
  }

  [Symbol.iterator](): Iterator<[string, string]> {
    return this.#values[Symbol.iterator]();
  }
}

class HttpRequest {
  readonly url: string;
  readonly headers: HttpHeaders;
  readonly method: string | undefined;
  readonly body: unknown;
  readonly signal: AbortSignal | undefined;

  constructor(url: string, { headers, method, body, signal }: RequestInit) {
    this.url = url;
    this.headers = new HttpHeaders(headers);
    this.method = method;
    this.body = body;
    this.signal = signal ?? undefined;
  }
}

/** Timeout for connecting in milliseconds, as in Node's fetch. */
const connectTimeout = 10_000;

/** Ends a request that gets no connection, with an error that proves that nothing was sent. */
function limitConnecting(outgoing: ClientRequest, connected: 'connect' | 'secureConnect'): void {
  const timer = setTimeout(() => {
    // Error code of Node's fetch, which the client knows.
    outgoing.destroy(Object.assign(new Error('no connection'), { code: 'UND_ERR_CONNECT_TIMEOUT' }));
  }, connectTimeout);
  const stop = (): void => clearTimeout(timer);
  outgoing.once('close', stop).once('socket', (socket) => {
    // A connection from an earlier request is already open.
    if (socket.connecting) socket.once(connected, stop);
    else stop();
  });
}

function responseOf(message: IncomingMessage) {
  const { statusCode: status = 0, headersDistinct } = message;
  const headers = Object.entries(headersDistinct).map(([name, values = []]): [string, string] => [
    name,
    values.join(', '),
  ]);
  const bytes = decoded(message)[Symbol.asyncIterator]();
  return {
    status,
    ok: status >= 200 && status < 300,
    headers: new HttpHeaders(headers),
    // The client reads the body in parts, to limit its size.
    body: {
      getReader: () => ({
        read: () => bytes.next(),
        cancel: async () => {
          message.destroy();
        },
      }),
    },
  };
}

function decoded(message: IncomingMessage): AsyncIterable<Uint8Array> {
  if (message.headers['content-encoding'] !== 'gzip') return message;
  const { createGunzip } = process.getBuiltinModule('node:zlib');
  // The reader of the last stream gets the errors of all streams.
  return process.getBuiltinModule('node:stream').pipeline(message, createGunzip(), () => {});
}

async function send({ url, method, headers, body, signal }: HttpRequest): Promise<unknown> {
  const target = new URL(url);
  const secure = target.protocol === 'https:';
  // Loaded only when needed, because TLS loads slowly.
  const { request } = process.getBuiltinModule(secure ? 'node:https' : 'node:http');
  const message = await new Promise<IncomingMessage>((resolve, reject) => {
    // On this machine, decompressing takes longer than it saves.
    if (!isLoopback(target)) headers.set('accept-encoding', 'gzip');
    const options = { method, headers: Object.fromEntries(headers), signal };
    const outgoing = request(target, options, resolve).on('error', reject);
    limitConnecting(outgoing, secure ? 'secureConnect' : 'connect');
    outgoing.end(body);
  });
  return responseOf(message);
}

/**
 * Parts of the Fetch standard that the client uses, implemented with `node:http`. Node's own fetch loads HTTP/2, TLS, cryptography and
 * workers, which takes more CPU time than all of `topup games list`.
 */
// Safe: these classes have everything that the client uses, and no command accesses requests, headers or responses.
export const platform = { Headers: HttpHeaders, Request: HttpRequest, fetch: send } as unknown as Platform;
