import { describe, expect, it } from 'vitest';
import type { OrderEventType } from '../src/contract/index.ts';
import type { TriggerInput } from '../src/features/sandbox/index.ts';
import { sandboxCatalog } from '../src/sandbox/index.ts';
import { createTestService } from './helpers/test-service.ts';

type Service = Awaited<ReturnType<typeof createTestService>>;

async function trigger({ app }: Service, input: object, key?: string) {
  const response = await app.fetch(
    new Request('http://localhost/sandbox/trigger', {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'Accept-Language': 'en',
        ...(key !== undefined && { 'X-API-KEY': key }),
      },
      body: JSON.stringify(input),
    }),
  );
  return { status: response.status, json: await response.json() };
}

/** The invoice of the order to which an event happened. */
async function invoiceAfter(service: Service, input: Partial<TriggerInput>) {
  const { json } = await trigger(service, { event: 'order.failed', ...input });
  return (await service.get(`/invoice/${json.data.order_id}`)).json;
}

describe('a triggered event', () => {
  const states: Record<OrderEventType, string> = {
    'order.created': 'UNPAID / Pending',
    'order.paid': 'PAID / Proses',
    'order.processing': 'PAID / Proses',
    'order.delivered': 'PAID / Sukses',
    'order.failed': 'PAID / Gagal',
    'order.expired': 'EXPIRED / Batal',
    'order.refunded': 'REFUND / Gagal',
  };
  it.each(Object.entries(states))('%s happens to a new order, which is then %s', async (event, state) => {
    const { json } = await trigger(await createTestService(), { event });
    expect(`${json.data.payment_status} / ${json.data.buy_status}`).toBe(state);
  });

  it('triggers an event for an order with any given fields', async () => {
    const service = await createTestService();
    const { order, product } = await invoiceAfter(service, {
      ...{ product_id: 902, quantity: 3, nickname: 'Budi', email: 'budi@example.com', id: '777' },
      ...{ server: '3001', whatsapp: '+6281111111111', promo_code: 'RAMADAN10', reason: 'region_mismatch' },
    });
    expect(product.id).toBe(902);
    expect(order).toMatchObject({ quantity: 3, nickname: 'Budi', failure_reason: 'region_mismatch' });
    expect((await service.store.findOrder(order.order_id))?.pricing.promo_code).toBe('RAMADAN10');
  });

  it('accepts the short names of faults', async () => {
    const service = await createTestService();
    const { json } = await trigger(service, {
      event: 'order.created',
      product: 901,
      method: 19,
      account: '777',
    });
    const stored = await service.store.findOrder(json.data.order_id);
    expect(stored).toMatchObject({ product: { id: 901 }, paymentMethod: { id: 19 }, target: { id: '777' } });
  });

  it('uses supplier_failed if no reason is given', async () => {
    const { order } = await invoiceAfter(await createTestService(), {});
    expect(order.failure_reason).toBe('supplier_failed');
  });

  it('continues with an order, and stores the reason', async () => {
    const service = await createTestService();
    const { orderId } = (await service.order()).json;
    const { order } = await invoiceAfter(service, { order: orderId, reason: 'account_not_found' });
    expect(order).toMatchObject({ order_id: orderId, failure_reason: 'account_not_found' });
    const refunded = await trigger(service, { event: 'order.refunded', order: orderId });
    expect(refunded.json.data).toMatchObject({ payment_status: 'REFUND' });
  });

  it('triggers an event in the account of the key', async () => {
    const service = await createTestService();
    const key = await service.keyOf('shop');
    const { json } = await trigger(service, { event: 'order.paid' }, key);
    expect((await service.get(`/invoice/${json.data.order_id}`, { key })).status).toBe(200);
    expect((await service.get(`/invoice/${json.data.order_id}`)).status).toBe(404);
  });

  it.each<[object, number, string]>([
    [{}, 422, 'The event field is required.'],
    [{ event: 'order.payed' }, 422, 'The event field must be one of order.created, order.paid,'],
    [{ event: 'order.paid', prodct: 901 }, 422, 'There is no parameter prodct. The parameters are event,'],
    [{ event: 'order.paid', quantity: 0 }, 422, 'The quantity field must be at least 1.'],
    [
      { event: 'order.failed', reason: 'bad_luck' },
      422,
      'The reason field must be one of account_not_found,',
    ],
    [{ event: 'order.paid', reason: 'region_mismatch' }, 422, 'only for order.failed and order.refunded'],
    [{ event: 'order.paid', product_id: 1 }, 404, 'Product not found.'],
    [{ event: 'order.paid', game: 'free-fire', product_id: 901 }, 422, 'does not belong'],
    [{ event: 'order.paid', game: 'no-game' }, 404, 'Game not found.'],
    [{ event: 'order.paid', method: 999 }, 404, 'Payment method not found.'],
    [{ event: 'order.paid', order: 'INV-1-AAAAAAAA' }, 404, 'not found'],
  ])('rejects %o with %i, and places no order', async (input, status, words) => {
    const service = await createTestService();
    const rejected = await trigger(service, input);
    expect([rejected.status, rejected.json.message]).toEqual([status, expect.stringContaining(words)]);
    expect(await service.store.listOrders({ limit: 1 })).toEqual([]);
  });

  it("rejects data that don't match an existing order", async () => {
    const service = await createTestService();
    const order = (await service.order()).json.orderId;
    const rejected = async (input: object) => {
      const { status, json } = await trigger(service, { order, ...input });
      return [status, json.message];
    };
    const quantity = await rejected({ event: 'order.paid', quantity: 2 });
    expect(quantity).toEqual([422, 'quantity is only for a new order: leave out order.']);
    const created = await rejected({ event: 'order.created' });
    expect(created).toEqual([422, 'order.created is only for a new order: leave out order.']);
    await trigger(service, { event: 'order.failed', order });
    expect((await rejected({ event: 'order.paid' }))[0]).toBe(409);
    // The reason of a delivery that has failed does not change.
    expect((await rejected({ event: 'order.refunded', reason: 'region_mismatch' }))[0]).toBe(409);
  });
});

describe('an order that is placed without any given field', () => {
  const shop = async (change: (catalog: ReturnType<typeof sandboxCatalog>) => void) => {
    const catalog = structuredClone(sandboxCatalog());
    change(catalog);
    const service = await createTestService({ catalog });
    const { status, json } = await trigger(service, { event: 'order.created' });
    const order = status === 200 ? await service.store.findOrder(json.data.order_id) : null;
    return { status, order };
  };

  it('uses the first open product, and the first method that accepts its price', async () => {
    const { order } = await shop(({ games, payment_methods }) => {
      const [first] = games.toSorted((a, b) => a.sort - b.sort);
      if (!first?.products[0] || !payment_methods[0] || !payment_methods[1])
        throw new Error('The catalogue is empty.');
      first.products[0].status = false;
      payment_methods[0].minimum_amount = 90_000_000;
      payment_methods[0].maximum_amount = 99_000_000;
      payment_methods[1].minimum_amount = 1;
    });
    const catalog = sandboxCatalog();
    const [first] = catalog.games.toSorted((a, b) => a.sort - b.sort);
    expect(order?.product.id).toBe(first?.products[1]?.id);
    expect(order?.paymentMethod.id).toBe(catalog.payment_methods[1]?.id);
  });

  it('has the fields that its game requires, with the first of several choices', async () => {
    const { order } = await shop(({ games }) => {
      for (const game of games)
        game.fields = [
          { name: 'id', label: 'Id', required: true },
          { name: 'server', label: 'Server', required: true, options: ['Asia', 'Europe'] },
        ];
    });
    expect(order?.target).toEqual({ id: '12345678', server: 'Asia', nickname: null });
  });

  it('fails if every game or every payment method is closed', async () => {
    const closed = await shop(({ games }) => {
      for (const game of games) game.status = false;
    });
    const unpayable = await shop(({ payment_methods }) => {
      for (const method of payment_methods) method.status = false;
    });
    expect([closed.status, unpayable.status]).toEqual([404, 404]);
  });
});
