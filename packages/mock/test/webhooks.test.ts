import { createTopupClient, type TopupEvent, verifyWebhook } from '@topup-kit/sdk';
import { describe, expect, it, vi } from 'vitest';
import { createTopupMock, type WebhookFault } from '../src/index.ts';

const order = {
  ...{ id: '12345678', server: '2012', game: 'mobile-legends', product_id: 901, payment_method_id: 12 },
  ...{ whatsapp: '081234567890', quantity: 1 },
};

/** A mock, and a shop's handler that verifies what it gets. */
function createShop() {
  const mock = createTopupMock();
  const events: TopupEvent[] = [];
  const rejected: string[] = [];
  const end = mock.webhooks.deliverTo(async (request) => {
    try {
      events.push(await verifyWebhook(await request.text(), request.headers, mock.webhooks.secret));
      return new Response(null, { status: 204 });
    } catch (error) {
      // Safe: verifyWebhook rejects with an error of the SDK.
      rejected.push((error as { code: string }).code);
      return new Response(null, { status: 400 });
    }
  });
  const client = createTopupClient({ baseUrl: mock.baseUrl, apiKey: mock.apiKey, fetch: mock.fetch });
  return { mock, client, events, rejected, end, types: () => events.map(({ type }) => String(type)) };
}

const whole = ['order.created', 'order.paid', 'order.processing', 'order.delivered'];

describe('webhooks of a mock', () => {
  it('delivers webhooks like a server, in the sequence of events', async () => {
    const { mock, client, events, types } = createShop();
    const { orderId } = await client.orders.create(order);
    await mock.orders.pay(orderId);
    await mock.orders.deliver(orderId);
    await mock.webhooks.settled();
    expect(types()).toEqual(whole);
    const { success: _apart, ...invoice } = await client.invoices.get(orderId);
    const delivered = events.at(-1);
    expect(delivered?.data).toEqual(invoice);
    expect(delivered?.id).toMatch(/^evt_[\da-f]{24}$/);
    expect(new Set(events.map(({ id }) => id)).size).toBe(whole.length);
    expect(mock.webhooks.sent.map(({ type, status, fault }) => [type, status, fault])).toEqual(
      whole.map((type) => [type, 204, null]),
    );
  });

  it('calls a function for later events, until the function is removed', async () => {
    const mock = createTopupMock();
    const { order_id } = await mock.orders.create(order);
    const types: string[] = [];
    // The handler of a shop takes the event of the SDK.
    const end = mock.webhooks.on((event: TopupEvent) => types.push(String(event.type)));
    await mock.orders.pay(order_id);
    await mock.webhooks.settled();
    expect(types).toEqual(['order.paid', 'order.processing']);
    end();
    await mock.orders.deliver(order_id);
    await mock.webhooks.settled();
    expect(types).toHaveLength(2);
  });

  it('sends events after a clock change, and for each state of an order', async () => {
    const { mock, types } = createShop();
    await mock.orders.create(order);
    await mock.clock.advance('2h');
    await mock.orders.create(order, 'REFUND / Gagal');
    await mock.webhooks.settled();
    expect(types()).toEqual([
      ...['order.created', 'order.expired'],
      ...['order.created', 'order.paid', 'order.processing', 'order.failed', 'order.refunded'],
    ]);
  });

  it("sends no events of another account's orders, or from before a reset", async () => {
    const { mock, types } = createShop();
    const other = createTopupClient({ baseUrl: mock.baseUrl, apiKey: mock.otherApiKey, fetch: mock.fetch });
    await other.orders.create(order);
    await mock.orders.create(order);
    const snapshot = mock.snapshot();
    await mock.webhooks.settled();
    mock.reset();
    expect(mock.webhooks.sent).toEqual([]);
    await mock.orders.create(order);
    await mock.webhooks.settled();
    mock.restore(snapshot);
    await mock.orders.create(order);
    await mock.webhooks.settled();
    expect(types()).toEqual(['order.created', 'order.created', 'order.created']);
  });

  const faults: [WebhookFault, arrives: string[], rejects: string[]][] = [
    ['lost', ['order.paid', 'order.processing'], []],
    ['twice', ['order.created', 'order.created', 'order.paid', 'order.processing'], []],
    ['out-of-order', ['order.paid', 'order.created', 'order.processing'], []],
    ['forged', ['order.paid', 'order.processing'], ['INVALID_WEBHOOK_SIGNATURE']],
    ['late', ['order.paid', 'order.processing'], []],
  ];
  it.each(faults)('fails as requested: %s', async (fault, arrives, rejects) => {
    const { mock, types, rejected } = createShop();
    mock.webhooks.fault(fault);
    await mock.orders.create(order, 'PAID / Proses');
    await mock.webhooks.settled();
    expect([types(), rejected]).toEqual([arrives, rejects]);
    await mock.webhooks.release();
    expect(types()).toEqual(fault === 'late' ? [...arrives, 'order.created'] : arrives);
  });

  it('delivers out-of-order events before settled() resolves if no event follows, or else in sequence', async () => {
    const { mock, types } = createShop();
    mock.webhooks.fault('out-of-order', 2);
    await mock.orders.create(order, 'PAID / Proses');
    await mock.webhooks.settled();
    expect(types()).toEqual(['order.processing', 'order.created', 'order.paid']);
    mock.webhooks.fault('out-of-order');
    await mock.orders.create(order);
    await mock.webhooks.settled();
    expect(types()).toHaveLength(4);
  });

  it('repeats lost webhooks with the same id', async () => {
    const { mock, events } = createShop();
    mock.webhooks.fault('lost');
    await mock.orders.create(order);
    await mock.webhooks.settled();
    const { id } = mock.webhooks.sent[0] ?? expect.unreachable();
    expect([mock.webhooks.sent, events]).toMatchObject([[{ status: null, fault: 'lost' }], []]);
    await mock.webhooks.resend(id);
    expect(events.map((event) => event.id)).toEqual([id]);
    await expect(mock.webhooks.resend('evt_1')).rejects.toThrow('There is no event "evt_1".');
  });

  it('continues after a receiver that throws', async () => {
    const { mock, types } = createShop();
    mock.webhooks.on(() => {
      throw new Error('a fault of the shop');
    });
    await mock.orders.create(order, 'PAID / Proses');
    await expect(mock.webhooks.settled()).rejects.toMatchObject({
      errors: Array.from({ length: 3 }, () => new Error('a fault of the shop')),
      message: expect.stringMatching(/ threw 3 times: (Error: a fault of the shop(; )?){3}$/),
    });
    await mock.webhooks.settled();
    expect(types()).toHaveLength(3);
    expect(mock.webhooks.sent.map(({ status }) => status)).toEqual([204, null, 204, null, 204, null]);
  });

  it('reaches other receivers while one receiver is slow, and the slow receiver later gets its events in sequence', async () => {
    const mock = createTopupMock();
    const { promise: slow, resolve: respond } = Promise.withResolvers<void>();
    const late: string[] = [];
    const types: string[] = [];
    mock.webhooks.on(async ({ type }) => {
      await slow;
      late.push(String(type));
    });
    mock.webhooks.on(({ type }) => types.push(String(type)));
    await mock.orders.create(order, 'PAID / Proses');
    await vi.waitUntil(() => types.length === 3);
    expect(late).toEqual([]);
    respond();
    await mock.webhooks.settled();
    const told = ['order.created', 'order.paid', 'order.processing'];
    expect([types, late]).toEqual([told, told]);
    expect(mock.webhooks.sent.map(({ type }) => type)).toEqual(told.flatMap((type) => [type, type]));
  });

  it('drops events at a reset that a slow receiver has not received', async () => {
    const mock = createTopupMock();
    const { promise: slow, resolve: respond } = Promise.withResolvers<void>();
    const types: string[] = [];
    mock.webhooks.on(async ({ type }) => {
      types.push(String(type));
      await slow;
    });
    await mock.orders.create(order, 'PAID / Proses');
    await vi.waitUntil(() => types.length === 1);
    mock.reset();
    respond();
    await mock.webhooks.settled();
    expect([types, mock.webhooks.sent]).toEqual([['order.created'], []]);
  });

  it('accepts orders from a receiver, which cause their own events', async () => {
    const { mock, client, types } = createShop();
    let isFirst = true;
    mock.webhooks.on(async () => {
      if (isFirst) {
        isFirst = false;
        await client.orders.create(order);
      }
    });
    await mock.orders.create(order);
    await mock.webhooks.settled();
    expect(types()).toEqual(['order.created', 'order.created']);
  });

  it('rejects an unknown fault', () => {
    const { webhooks } = createTopupMock();
    // @ts-expect-error: no such fault
    expect(() => webhooks.fault('slow')).toThrow('Unknown webhook fault "slow"');
    // @ts-expect-error: no function
    expect(() => webhooks.on(1)).toThrow('mock.webhooks.on needs a function; got 1.');
    expect(() => webhooks.fault('lost', 0)).toThrow('must be a whole number from 1; got 0');
  });
});
