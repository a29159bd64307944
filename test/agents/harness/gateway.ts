import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import {
  type FakeGateway,
  type GatewayFault,
  gatewayCases,
  type PaymentRequest,
  type RemoteGateway,
} from '@topup-kit/server';

/** The solution exports what the task asks for; the cases find out whether it does. */
interface Solution {
  createGateway(api: string, key: string): RemoteGateway;
}
const path = join(process.env.SOLUTION ?? '', 'gateway.ts');
// Safe: the reason is the same as above.
const { createGateway } = (await import(pathToFileURL(path).href)) as Solution;

const key = 'kasir-secret-key';

interface Invoice {
  invoice_no: string;
  external_id: string;
  amount: string;
  va_number: string;
  pay_page: string;
  state: 'WAITING' | 'SETTLED' | 'LAPSED';
  paid_amount: string | null;
  changed_at: number | null;
}

/** Kasir's service, as its documentation says. */
async function startKasir() {
  const invoices: Invoice[] = [];
  let fault: GatewayFault | undefined;
  const problems: string[] = [];

  function create(body: string): Invoice | undefined {
    const { external_id, amount, channel, expires } = JSON.parse(body);
    if (!/^\d+\.00$/.test(amount)) problems.push(`amount: ${amount} is not a text with two decimals`);
    if (typeof expires !== 'number' || expires > 1e11)
      problems.push(`expires: ${expires} is not in unix seconds`);
    if (typeof channel !== 'string') problems.push('channel is missing');
    if (Number(amount) < 10_000) return undefined;
    const invoice_no = `KSR-${invoices.length + 1}`;
    const invoice: Invoice = {
      invoice_no,
      external_id,
      amount,
      va_number: `8808${invoices.length + 1}`.padEnd(16, '0'),
      pay_page: `https://kasir.example/${invoice_no}`,
      state: 'WAITING',
      paid_amount: null,
      changed_at: null,
    };
    invoices.push(invoice);
    return invoice;
  }

  const server = createServer(async (request, response) => {
    const send = (status: number, body: unknown): ServerResponse =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    let body = '';
    for await (const chunk of request) body += chunk;
    if (request.headers['x-kasir-key'] !== key) return send(401, { reason: 'Unknown key.' });
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://kasir.test');
    if (request.method === 'POST') {
      const wrong = fault;
      fault = undefined;
      if (wrong === 'error-500') return send(500, { reason: 'Try again.' });
      const invoice = create(body);
      if (wrong === 'lost-response') return request.socket.destroy();
      if (wrong === 'no-response') return undefined;
      return invoice ? send(201, invoice) : send(422, { reason: 'The amount is below 10000.' });
    }
    const order = searchParams.get('external_id');
    if (order !== null)
      return send(200, { invoices: invoices.filter(({ external_id }) => external_id === order) });
    const found = invoices.find(({ invoice_no }) => pathname === `/v2/invoices/${invoice_no}`);
    return found ? send(200, found) : send(404, { reason: 'Unknown invoice.' });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  assert.ok(address !== null && typeof address === 'object');
  return {
    api: `http://127.0.0.1:${address.port}`,
    invoices,
    problems,
    fail(next: GatewayFault) {
      fault = next;
    },
    settle(outcome: 'paid' | 'expired') {
      const changed_at = Math.floor(Date.now() / 1000);
      for (const invoice of invoices)
        Object.assign(
          invoice,
          outcome === 'paid'
            ? { state: 'SETTLED', paid_amount: invoice.amount, changed_at }
            : { state: 'LAPSED', changed_at },
        );
    },
    async close() {
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
  };
}

async function startFake(): Promise<FakeGateway> {
  const kasir = await startKasir();
  const request: PaymentRequest = {
    orderId: 'INV-1',
    amount: 40_000,
    method: { code: 'BRIVA', group: 'Virtual Account', name: 'BRI' },
    expiresAt: Date.now() + 30 * 60_000,
    customer: { phone: '081234567890', email: null, name: null },
    items: [{ sku: 'ML86', name: '86 Diamonds', price: 20_000, quantity: 2 }],
  };
  return {
    gateway: createGateway(kasir.api, key),
    request,
    rejected: { ...request, amount: 5_000 },
    secrets: [key],
    fail: kasir.fail,
    settle: kasir.settle,
    countPayments: () => kasir.invoices.length,
    readCallback() {
      const body = Buffer.from(JSON.stringify(kasir.invoices.at(-1)));
      const signature = createHmac('sha256', key).update(body).digest('hex');
      return { headers: { 'x-kasir-signature': `sha256=${signature}` }, body };
    },
    async close() {
      await kasir.close();
      assert.deepEqual(kasir.problems, []);
    },
  };
}

for (const { name, run } of gatewayCases(startFake)) test(name, run);

test('it is named kasir, takes only virtual accounts, and has what a shop needs of callbacks', () => {
  const gateway = createGateway('http://127.0.0.1:1', key);
  assert.equal(gateway.name, 'kasir');
  assert.equal(gateway.supports?.({ code: 'QRIS', group: 'QRIS', name: 'QRIS' }), false);
  assert.ok(gateway.checkPayment, 'checkPayment is missing: callbacks get lost');
  const response = gateway.callbacks?.respond('applied');
  assert.equal(response?.status, 200);
  assert.deepEqual(response?.body, { received: true });
});
