import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { type FakeGateway, type GatewayFault, gatewayCases } from '@topup-kit/server';
import { createGateway } from './gateway.ts';

const key = 'a-secret-key';

async function startFake(): Promise<FakeGateway> {
  const payments: Record<string, unknown>[] = [];
  let fault: GatewayFault | undefined;

  function create(body: string) {
    const { orderId, amount: asked } = JSON.parse(body);
    const id = `payment-${payments.length + 1}`;
    const payment = { id, orderId, asked, number: '8888123456', page: `https://gateway.example/${id}` };
    payments.push({ ...payment, status: 'open', paid: 0, changedAt: null });
    return payment;
  }

  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const isNew = request.method === 'POST';
    const wrong = isNew ? fault : undefined;
    if (isNew) fault = undefined;
    if (wrong === 'error-500') return response.writeHead(500).end();
    const isAsked = ({ id, orderId }: Record<string, unknown>) =>
      request.url === `/payments/${id}` || request.url === `/payments/by-order/${orderId}`;
    const payment = isNew ? create(body) : payments.find(isAsked);
    if (wrong === 'lost-response') return request.socket.destroy();
    if (wrong !== 'no-response') response.writeHead(payment ? 200 : 404).end(JSON.stringify({ ...payment }));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('It has no port.');

  return {
    gateway: createGateway(`http://127.0.0.1:${address.port}`, key),
    request: {
      orderId: 'INV-1',
      amount: 40_000,
      method: { code: 'QRIS', group: 'QRIS', name: 'QRIS' },
      expiresAt: Date.now() + 30 * 60_000,
      customer: { phone: '081234567890', email: null, name: null },
      items: [{ sku: 'ML86', name: '86 Diamonds', price: 20_000, quantity: 2 }],
    },
    secrets: [key],
    fail(next) {
      fault = next;
    },
    settle(status) {
      const changedAt = new Date().toISOString();
      for (const payment of payments) Object.assign(payment, { status, paid: payment.asked, changedAt });
    },
    countPayments: () => payments.length,
    readCallback() {
      const body = Buffer.from(JSON.stringify(payments.at(-1)));
      return { headers: { 'x-signature': createHmac('sha256', key).update(body).digest('hex') }, body };
    },
    async close() {
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
  };
}

for (const { name, run } of gatewayCases(startFake)) test(name, run);
