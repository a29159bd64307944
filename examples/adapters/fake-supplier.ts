import { once } from 'node:events';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { type FakeSupplier, type SupplierFault, supplierCases } from '@topup-kit/server';
import { createSupplier } from './supplier.ts';

async function startFake(): Promise<FakeSupplier> {
  const orders: { id: string; status: string; serial: string; message: string }[] = [];
  let fault: SupplierFault | undefined;

  function buy(body: string): { status: number; body: object } {
    if (JSON.parse(body).max_price < 10_000)
      return { status: 422, body: { message: 'The price is higher.' } };
    const id = `order-${orders.length + 1}`;
    orders.push({ id, status: 'open', serial: '', message: '' });
    return { status: 200, body: { id } };
  }

  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const isPurchase = request.method === 'POST';
    const wrong = isPurchase ? fault : undefined;
    if (isPurchase) fault = undefined;
    if (wrong === 'error-500') return response.writeHead(500).end();
    const order = orders.find(({ id }) => request.url === `/orders/${id}`);
    const result = isPurchase ? buy(body) : { status: order ? 200 : 404, body: { ...order } };
    if (wrong === 'lost-response') return request.socket.destroy();
    if (wrong !== 'no-response') response.writeHead(result.status).end(JSON.stringify(result.body));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('It has no port.');

  return {
    supplier: createSupplier(`http://127.0.0.1:${address.port}`, 'a-secret-key'),
    request: {
      reference: 'INV-1-1-1',
      productCode: 'ML86',
      target: { id: '12345678', server: '2012', text: '123456782012' },
      maxPrice: 22_000,
      askedAt: Date.now(),
    },
    secrets: ['a-secret-key'],
    fail: (next) => {
      fault = next;
    },
    settle(outcome) {
      const [status, serial, message] =
        outcome === 'delivered' ? ['success', 'SN-1', ''] : ['failed', '', 'There is no such player.'];
      for (const order of orders) Object.assign(order, { status, serial, message });
    },
    countPurchases: () => orders.length,
    // This fake has no limit that depends on time.
    advance: () => {},
    async close() {
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
  };
}

for (const { name, run } of supplierCases(startFake)) test(name, run);
