import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FindPurchaseRequest, PurchaseRequest } from '@topup-kit/core/supplier';
import { onTestFinished } from 'vitest';
import { type Received, start } from '../../../simulators/test/helpers/simulators.ts';

export const signal = new AbortController().signal;

export const purchase = (changes: Partial<PurchaseRequest> = {}): PurchaseRequest => ({
  reference: 'INV-1-1-1',
  productCode: 'ml86',
  target: { id: '12345678', server: '2012', text: '123456782012' },
  maxPrice: 22_000,
  askedAt: start,
  ...changes,
});

export const question = (changes: Partial<FindPurchaseRequest> = {}): FindPurchaseRequest => ({
  ...purchase(),
  supplierId: null,
  ...changes,
});

/** A server that always sends this response; a function gets the body of the request. */
export async function startFake(respond: (body: string) => { status?: number; body: unknown }) {
  const requests: string[] = [];
  const bodyOf = async (request: IncomingMessage): Promise<string> => {
    let body = '';
    for await (const chunk of request) body += chunk;
    return body;
  };
  const server = createServer(async (request, response) => {
    const received = await bodyOf(request);
    requests.push(received);
    const { status = 200, body } = respond(received);
    response.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo; // Safe: it listens on a port.
  return { baseUrl: `http://127.0.0.1:${port}`, requests };
}

/** What a shop received, as its server passes it to an adapter. */
export const callbackOf = ({ headers, body }: Received) => ({
  headers: Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, [value ?? ''].flat().join(', ')]),
  ),
  body: new TextEncoder().encode(body),
});

/** The error of a promise that must reject. */
export const errorOf = (promise: Promise<unknown>): Promise<Error> =>
  promise.then(
    (value) => {
      throw new Error(`It should reject, but returned ${JSON.stringify(value)}.`);
    },
    (error: unknown) => {
      if (error instanceof Error) return error;
      throw new TypeError('It rejected with something that is no Error.');
    },
  );

/** All text that comes of a call, also the causes of its error. */
export const textOf = (result: Promise<unknown>): Promise<string> =>
  result.then(
    (value) => JSON.stringify(value) ?? '',
    (error: unknown) => {
      if (!(error instanceof Error)) return String(error);
      return `${error.stack} ${String(error.cause)}`;
    },
  );
