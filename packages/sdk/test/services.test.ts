import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { refundOrder } from '@topup-kit/core/engine';
import { createTopupMock } from '@topup-kit/mock';
import { createTopupClient, type TopupClient } from '@topup-kit/sdk';
import { openStore, type RunningServer, readConfig, startServer } from '@topup-kit/server';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { hurryWaits } from '../../../test/hurry.ts';
import { orderRequest, rejection } from './responses.ts';

/** The order of the open points: 2 x 86 Diamond with RAMADAN10, a total of 40,000. */
const order = { ...orderRequest, promo_code: 'RAMADAN10', quantity: 2 };

// Orders are asked for every second.
hurryWaits();

let sandbox: RunningServer;
beforeAll(async () => {
  sandbox = await startServer(readConfig({ TOPUP_MODE: 'sandbox', TOPUP_STORE: 'memory:', PORT: '0' }));
});
afterAll(() => sandbox.close());
afterEach(() => void vi.useRealTimers());

const clientOf = ({ baseUrl, sandboxKey }: RunningServer): TopupClient =>
  createTopupClient({ baseUrl, apiKey: sandboxKey ?? undefined, validation: 'strict' });

/** Calls a control of the sandbox. */
async function control({ localUrl }: RunningServer, path: string, body?: object): Promise<void> {
  const response = await fetch(`${localUrl}/sandbox/${path}`, {
    method: 'POST',
    ...(body && { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }),
  });
  expect([path, response.status]).toEqual([path, 200]);
}

/** The actions of the sandbox on an order. */
const happen = (
  server: RunningServer,
  event: 'pay' | 'fail' | 'expire' | 'deliver',
  orderId: string,
): Promise<void> => control(server, `orders/${orderId}/${event}`);

const services: [string, () => TopupClient][] = [
  [
    'the mock in this process',
    () => {
      const { baseUrl, apiKey, fetch } = createTopupMock();
      return createTopupClient({ baseUrl, apiKey, fetch, validation: 'strict' });
    },
  ],
  ['a sandbox server', () => clientOf(sandbox)],
];

describe.each(services)('%s', (_name, start) => {
  it('lists games', async () => {
    const { games, populerGames } = await start().games.list();

    expect(games.map(({ slug }) => slug)).toContain('mobile-legends');
    expect(populerGames.every(({ populer }) => populer)).toBe(true);
  });

  it('returns a game with its products', async () => {
    const { data } = await start().games.get('mobile-legends');

    expect(data.products.map(({ id }) => id)).toContain(901);
    expect(data.fields.map(({ name }) => name)).toEqual(['id', 'server']);
  });

  it('returns the payment methods of a checkout', async () => {
    const { game, paymentMethods } = await start().checkout.get('mobile-legends');

    expect(game.slug).toBe('mobile-legends');
    expect(paymentMethods.map(({ id }) => id)).toContain(12);
  });

  it('returns the price with a promo code', async () => {
    const { data } = await start().promos.validate({
      code: 'RAMADAN10',
      game_slug: 'mobile-legends',
      product_id: 901,
      payment_method_id: 12,
    });

    const { base_price, discount, final_price } = data.pricing;
    expect(data.promo.code).toBe('RAMADAN10');
    expect(final_price).toBe(base_price - discount);
    expect(final_price).toBe(20_000);
  });

  it('rejects an unknown promo code', async () => {
    const call = start().promos.validate({
      code: 'NONE',
      game_slug: 'mobile-legends',
      product_id: 901,
      payment_method_id: 12,
    });

    expect(await rejection(call)).toMatchObject({ status: 422, code: 'PROMO_NOT_FOUND' });
  });

  it('creates an order, and returns its invoice and its state', async () => {
    const client = start();

    const { orderId, data } = await client.orders.create(order);
    const invoice = await client.invoices.get(orderId);
    const status = await client.invoices.paymentStatus(orderId);

    expect(data.total_price).toBe(40_000);
    expect(invoice.order).toMatchObject({ order_id: orderId, total_price: 40_000, quantity: 2 });
    expect(status.data).toMatchObject({ order_id: orderId, payment_status: 'UNPAID', buy_status: 'Pending' });
  });

  it('creates one order for two calls with one idempotency key', async () => {
    const client = start();
    const idempotencyKey = randomUUID();

    const first = await client.orders.create(order, { idempotencyKey }).withResponse();
    const second = await client.orders.create(order, { idempotencyKey }).withResponse();

    expect(second.data.orderId).toBe(first.data.orderId);
    expect(second.response.headers.get('Idempotency-Replayed')).toBe('true');
    expect(first.requestId).not.toBe(second.requestId);
  });

  it('names the invalid fields of an order', async () => {
    const call = start().orders.create({ ...order, whatsapp: '' });

    expect(await rejection(call)).toMatchObject({
      code: 'VALIDATION_ERROR',
      fields: { whatsapp: [expect.any(String)] },
    });
  });

  it('returns 404 for an unknown order', async () => {
    const client = start();
    const missing = 'INV-20260329093000-ABCDEFGH';

    const codes = [
      client.invoices.get(missing),
      client.invoices.paymentStatus(missing),
      client.orders.waitFor(missing),
    ].map(rejection);

    for (const error of await Promise.all(codes)) expect(error).toMatchObject({ code: 'INVOICE_NOT_FOUND' });
  });
});

describe('waiting for an order of the mock', () => {
  it("ends when the mock's order expires unpaid", async () => {
    vi.useFakeTimers();
    const { baseUrl, apiKey, fetch } = createTopupMock();
    const client = createTopupClient({ baseUrl, apiKey, fetch, validation: 'strict' });

    const { orderId, data } = await client.orders.create(order);
    const wait = client.orders.waitFor(orderId);
    await vi.advanceTimersByTimeAsync(Date.parse(data.expired_at) - Date.now() + 10_000);

    expect(await wait).toMatchObject({ outcome: 'expired', state: { buy_status: 'Batal' } });
  });
});

describe('waiting for an order of a sandbox', () => {
  it("sees a sandbox's order unpaid, paid and delivered", async () => {
    const client = clientOf(sandbox);
    const { orderId } = await client.orders.create(order);
    const seen: string[] = [];

    for await (const { payment_status, buy_status } of client.orders.waitFor(orderId)) {
      seen.push(`${payment_status} ${buy_status}`);
      if (payment_status === 'UNPAID') await happen(sandbox, 'pay', orderId);
      else if (buy_status === 'Proses') await happen(sandbox, 'deliver', orderId);
    }

    expect(seen).toEqual(['UNPAID Pending', 'PAID Proses', 'PAID Sukses']);
  });

  it("ends a wait at the payment with until: 'paid'", async () => {
    const client = clientOf(sandbox);
    const { orderId } = await client.orders.create(order);
    await happen(sandbox, 'pay', orderId);

    expect(await client.orders.waitFor(orderId, { until: 'paid' })).toMatchObject({ outcome: 'paid' });
  });

  it.each([
    ['delivered', ['pay', 'deliver']],
    ['expired', ['expire']],
    ['payment_failed', ['fail']],
  ] as const)("ends the wait for a sandbox's order as %s", async (outcome, events) => {
    const client = clientOf(sandbox);
    const { orderId } = await client.orders.create(order);
    for (const event of events) await happen(sandbox, event, orderId);

    expect(await client.orders.waitFor(orderId)).toMatchObject({ outcome });
  });

  it('ends as delivery_failed, and as refunded after an operator has recorded a refund', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'topup-kit-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const address = `file:${join(folder, 'topup.db')}`;
    const config = readConfig({ TOPUP_MODE: 'sandbox', TOPUP_STORE: address, PORT: '0' });
    await using server = await startServer(config);
    const client = clientOf(server);
    const { orderId } = await client.orders.create({ ...order, id: '900000001' });
    await happen(server, 'pay', orderId);
    await control(server, 'advance', { by: '1m' });

    expect(await client.orders.waitFor(orderId)).toMatchObject({ outcome: 'delivery_failed' });

    const store = openStore(config.store);
    const worldOffset = await store.readWorldOffset();
    await refundOrder({ store, worldClock: () => Date.now() + worldOffset, operator: 'ani' }, orderId);
    await store.close();

    expect(await client.orders.waitFor(orderId)).toMatchObject({ outcome: 'refunded' });
  });
});
