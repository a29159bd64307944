import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { CallbackRequest } from '@topup-kit/core/callback';
import type { PaymentRequest } from '@topup-kit/core/gateway';
import { type Received, start } from '../../../simulators/test/helpers/simulators.ts';

export const signal = new AbortController().signal;
export const minute = 60_000;

/** A request for 86 diamonds by QRIS, which expires after 30 minutes. */
export const requestOf = (changes: Partial<PaymentRequest> = {}): PaymentRequest => ({
  orderId: 'INV-20260501120000-ABCDEFGH',
  amount: 40_000,
  method: { code: 'QRIS2', group: 'QRIS', name: 'QRIS' },
  expiresAt: start + 30 * minute,
  customer: { phone: '081234567890', email: 'budi@shop.example', name: 'Budi' },
  items: [{ sku: 'ML86', name: '86 Diamonds', price: 20_000, quantity: 2 }],
  ...changes,
});

/** A callback as a server passes it to an adapter. */
export const callbackOf = ({ headers, body }: Pick<Received, 'headers' | 'body'>): CallbackRequest => ({
  headers: Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  ),
  body: new TextEncoder().encode(body),
});

/** A provider that responds with what a test chooses, or with what its function of the URL returns, and notes what it was asked. */
export async function startFake() {
  const fake = { status: 200, body: {} as unknown, requests: [] as string[] };
  const server = createServer((request, response) => {
    fake.requests.push(`${request.method} ${request.url}`);
    const body: unknown = typeof fake.body === 'function' ? fake.body(request.url) : fake.body;
    response.writeHead(fake.status).end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo; // Safe: it listens on a port.
  return {
    fake,
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
  };
}
