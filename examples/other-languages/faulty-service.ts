import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** Response as the service sent it. */
interface Reply {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
}

/** Event that happens to a request instead of a response; `forward` lets the service handle the request first. */
export type Fault = (response: ServerResponse, forward: () => Promise<Reply>) => Promise<unknown> | unknown;

/** Service whose responses are lost, cut off, or replaced by those of another program. It forwards all other requests to a sandbox. */
export interface FaultyService extends AsyncDisposable {
  baseUrl: string;
  /** Faults of the next orders, each for one request. */
  orders: Fault[];
  /** Fault of all look-ups of an order by its key. */
  lookUps: Fault | undefined;
  /** Requests so far: `order` or `look-up`, with the idempotency key. */
  requests: { kind: 'order' | 'look-up'; key: string }[];
}

/** Creates a response that doesn't come from the service. A client that honours `Retry-After` repeats its request soon. */
export const answer =
  (status: number, body: string | object = '', headers: Record<string, string> = {}): Fault =>
  (response) => {
    const type = typeof body === 'string' ? 'text/html' : 'application/json';
    response.writeHead(status, { 'Content-Type': type, 'Retry-After': '0', ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };

/** Creates an error of the service with its code. */
export const serviceError = (status: number, code: string, more: object = {}): Fault =>
  answer(
    status,
    { success: false, message: 'No.', ...more },
    { 'X-Error-Code': code, 'Idempotency-Key': 'key' },
  );

/** Breaks the connection before there is a response. */
export const breakOff: Fault = (response) => response.destroy();

/** Breaks the connection after half of the response. */
export const halfOf =
  (status: number, body: string): Fault =>
  async (response) => {
    const headers = { 'Content-Type': 'application/json', 'Content-Length': body.length * 2 };
    response.writeHead(status, headers).write(body, () => response.destroy());
  };

/** Page that a reverse proxy shows. */
export const page = '<html><head><title>502 Bad Gateway</title></head><body>nginx</body></html>';

const ofTheConnection = ['connection', 'keep-alive', 'transfer-encoding', 'content-encoding'];
const passedOn = ['x-api-key', 'idempotency-key', 'content-type', 'accept'];

/** Starts the service in front of a sandbox with this base URL. */
export async function startFaultyService(target: string): Promise<FaultyService> {
  const service = { orders: [], lookUps: undefined, requests: [] } as Pick<
    FaultyService,
    'orders' | 'lookUps' | 'requests'
  >;
  const server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request;
    const body = await buffer(request);
    const key = headers['idempotency-key'] ?? new URL(url, target).searchParams.get('idempotency_key') ?? '';
    const forward = async (): Promise<Reply> => {
      const sent = await fetch(target + url, {
        method,
        headers: Object.entries(headers).flatMap(([name, value]): [string, string][] =>
          passedOn.includes(name) ? [[name, String(value)]] : [],
        ),
        ...(method === 'POST' ? { body } : {}),
      });
      const kept = [...sent.headers].filter(([name]) => !ofTheConnection.includes(name));
      return {
        status: sent.status,
        headers: Object.fromEntries(kept),
        body: Buffer.from(await sent.arrayBuffer()),
      };
    };
    let fault: Fault | undefined;
    if (url === '/order') {
      service.requests.push({ kind: 'order', key: String(key) });
      fault = service.orders.shift();
    } else if (url.startsWith('/orders?')) {
      service.requests.push({ kind: 'look-up', key: String(key) });
      fault = service.lookUps;
    }
    if (fault !== undefined) return void (await fault(response, forward));
    const { status, headers: given, body: text } = await forward();
    response.writeHead(status, { ...given, 'content-length': text.length }).end(text);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  // Safe: it listens on a port.
  const { port } = server.address() as AddressInfo;
  return Object.assign(service, {
    baseUrl: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  });
}
