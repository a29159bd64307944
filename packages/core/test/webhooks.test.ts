import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { eventTypes, type OrderEventType, orderEventTypes, signWebhook } from '../src/contract/index.ts';
import { createEndpoint, markOrder, refundOrder, type WebhookRequest } from '../src/features/index.ts';
import type { WebhookEndpoint } from '../src/features/store.ts';
import { secureRandom } from '../src/platform/index.ts';
import { createTestService, fixtureOrder } from './helpers/test-service.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

type Respond = (
  request: WebhookRequest,
) => Promise<{ status: number; retryAfter?: string }> | { status: number; retryAfter?: string };

/** A service with endpoints that respond as the test says, 204 by default. */
async function createShop(respond: Respond = () => ({ status: 204 })) {
  const requests: (WebhookRequest & { at: number })[] = [];
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const busy = { isBusy: false };
  const service = await createTestService({
    webhooks: {
      async send(request) {
        requests.push({ ...request, at: service.clock.now });
        const { status, retryAfter = null } = await respond(request);
        return { status, retryAfter, body: 'thanks' };
      },
      secrets: { open: (stored) => stored },
      isBusy: () => busy.isBusy,
      stop: stop.signal,
    },
  });
  const { store, clock, engine } = service;

  async function endpoint(changes: Partial<Pick<WebhookEndpoint, 'accountId' | 'types' | 'url'>> = {}) {
    return createEndpoint(
      { store, random: secureRandom, realClock: () => clock.now, seal: (secret) => secret },
      {
        accountId: 'sandbox',
        url: 'https://shop.test/hooks',
        types: eventTypes,
        description: '',
        disabled: null,
        ...changes,
      },
    );
  }

  const isDue = async (): Promise<boolean> =>
    (await store.listWebhookDeliveries({ limit: 1_000 })).some(
      ({ nextAt }) => nextAt !== null && nextAt <= clock.now,
    );

  /** Runs the due work until nothing more is sent: until nothing was begun or ended for a while, longer when something is due that may be held. */
  async function work(): Promise<void> {
    const count = (): number => requests.length + service.sent.length;
    for (let known = -1, calm = 0; calm < 3 || (calm < 20 && (await isDue())); ) {
      await engine.dueWork.run();
      await new Promise((resolve) => setTimeout(resolve, 10));
      calm = count() === known ? calm + 1 : 0;
      known = count();
    }
  }

  async function advance(ms: number): Promise<void> {
    clock.now += ms;
    await work();
  }

  const bodies = (): { type: string; timestamp: string; data: Record<string, never> }[] =>
    requests.map(({ body }) => JSON.parse(body));
  const types = (): string[] => bodies().map(({ type }) => type);
  return { ...service, requests, busy, endpoint, work, advance, bodies, types, stop };
}

const placed = async (
  { order }: Awaited<ReturnType<typeof createShop>>,
  body: object = fixtureOrder,
): Promise<string> => (await order({ ...fixtureOrder, promo_code: undefined, ...body })).json.orderId;

describe('the events of an order', () => {
  it("sends an order's events in sequence, with the invoices at their times", async () => {
    const shop = await createShop();
    await shop.endpoint();
    const orderId = await placed(shop);
    await shop.work();
    const created = (await shop.get(`/invoice/${orderId}`)).json;
    await shop.sandbox.act(orderId, 'pay');
    await shop.advance(minute);
    const delivered = (await shop.get(`/invoice/${orderId}`)).json;

    expect(shop.types()).toEqual(['order.created', 'order.paid', 'order.processing', 'order.delivered']);
    const { success: _apart, ...invoice } = created;
    expect(shop.bodies()[0]?.data).toEqual(invoice);
    expect(shop.bodies()[3]?.data).toEqual({
      order: delivered.order,
      game: delivered.game,
      product: delivered.product,
    });
    expect(
      shop.bodies().map(({ data }) => [data['order']?.['payment_status'], data['order']?.['buy_status']]),
    ).toEqual([
      ['UNPAID', 'Pending'],
      ['PAID', 'Proses'],
      ['PAID', 'Proses'],
      ['PAID', 'Sukses'],
    ]);
    expect(shop.bodies()[1]?.data['order']).not.toHaveProperty('serial_number');
    expect(shop.reported).toEqual([]);
  });

  const endings: [
    ends: string,
    act: (shop: Awaited<ReturnType<typeof createShop>>, orderId: string) => Promise<unknown>,
    OrderEventType[],
  ][] = [
    [
      'that expires',
      async ({ clock }) => {
        clock.now += 3 * hour;
      },
      ['order.created', 'order.expired'],
    ],
    ['whose payment fails', ({ sandbox }, id) => sandbox.act(id, 'fail'), ['order.created', 'order.failed']],
    [
      'that an operator marks as failed and refunds',
      async ({ store, clock, sandbox, advance, work }, orderId) => {
        const operator = { store, worldClock: () => clock.now, operator: 'ani' };
        await sandbox.act(orderId, 'pay');
        await advance(minute);
        await markOrder(operator, orderId, { outcome: 'failed', note: 'not there', unit: 1 });
        await work();
        await refundOrder(operator, orderId, { note: 'by transfer' });
      },
      [
        'order.created',
        'order.paid',
        'order.processing',
        'order.delivered',
        'order.failed',
        'order.refunded',
      ],
    ],
  ];
  it.each(endings)('sends these events for an order that is %s', async (_name, act, expected) => {
    const shop = await createShop();
    await shop.endpoint();
    const orderId = await placed(shop, { quantity: 1 });
    await shop.work();
    await act(shop, orderId);
    await shop.work();
    expect(shop.types()).toEqual(expected);
  });

  it('sends events only to endpoints of the account that subscribe to them', async () => {
    const shop = await createShop();
    const own = await shop.endpoint({ types: ['order.paid'], url: 'https://a.test/' });
    await shop.endpoint({ accountId: 'other', url: 'https://b.test/' });
    await shop.endpoint({ accountId: null, types: ['order.created'], url: 'https://c.test/' });
    const orderId = await placed(shop);
    await shop.sandbox.act(orderId, 'pay');
    await shop.work();
    expect(shop.requests.map(({ url }) => url).sort()).toEqual(['https://a.test/', 'https://c.test/']);
    expect(own.endpoint.types).toEqual(['order.paid']);
  });

  it('gives an event the same id at each endpoint and in each attempt, and gives another event another id', async () => {
    const shop = await createShop(({ url }) => ({ status: url.includes('a.test') ? 500 : 200 }));
    await shop.endpoint({ url: 'https://a.test/', types: ['order.created'] });
    await shop.endpoint({ url: 'https://b.test/' });
    const orderId = await placed(shop);
    await shop.work();
    await shop.advance(6_000);
    await shop.sandbox.act(orderId, 'pay');
    await shop.work();
    const ids = shop.requests.map(({ headers, body }) => [JSON.parse(body).type, headers['webhook-id']]);
    const created = ids.filter(([type]) => type === 'order.created');
    expect(created).toHaveLength(3);
    expect(new Set(created.map(([, id]) => id)).size).toBe(1);
    expect(new Set(ids.map(([, id]) => id)).size).toBe(3);
    expect(ids[0]?.[1]).toMatch(/^evt_[\da-f]{24}$/);
  });

  it('sends no events from before an endpoint was created', async () => {
    const shop = await createShop();
    await placed(shop);
    await shop.advance(hour);
    await shop.endpoint();
    await shop.work();
    expect(shop.types()).toEqual([]);
  });
});

describe('sending events', () => {
  it('signs with the current secret, and with the previous secret while both are valid', async () => {
    const shop = await createShop();
    const { endpoint, secret } = await shop.endpoint({ types: ['order.created'] });
    const before = `whsec_${'A'.repeat(32)}`;
    await shop.store.changeWebhookEndpoint({
      ...endpoint,
      previousSecret: before,
      previousUntil: shop.clock.now + hour,
    });
    await placed(shop);
    await shop.work();
    await shop.advance(2 * hour);
    await placed(shop);
    await shop.work();
    const [first, second] = shop.requests;
    const expected = async (request: typeof first, secrets: string[]): Promise<string> =>
      (
        await Promise.all(
          secrets.map((key) =>
            signWebhook({
              id: request?.headers['webhook-id'] ?? '',
              timestamp: Number(request?.headers['webhook-timestamp']),
              body: request?.body ?? '',
              secret: key,
            }),
          ),
        )
      ).join(' ');
    expect(first?.headers['webhook-signature']).toBe(await expected(first, [secret, before]));
    expect(second?.headers['webhook-signature']).toBe(await expected(second, [secret]));
    expect(first?.headers['webhook-timestamp']).toBe(String(Math.floor((first?.at ?? 0) / 1_000)));
  });

  it('reads the endpoints once a round, to create and send events', async () => {
    const shop = await createShop();
    await shop.endpoint({ types: ['order.created'] });
    await placed(shop);
    // Otherwise what has been sent begins to send what is next.
    shop.busy.isBusy = true;
    const reads = vi.spyOn(shop.store, 'listWebhookEndpoints');
    await shop.engine.dueWork.run();
    await expect.poll(shop.types).toEqual(['order.created']);
    expect(reads).toHaveBeenCalledOnce();
  });

  it('follows the schedule of Standard Webhooks, each time a little later, and then stops', async () => {
    const shop = await createShop(() => ({ status: 500 }));
    await shop.endpoint({ types: ['order.created'] });
    await placed(shop);
    for (;;) {
      await shop.work();
      const [delivery] = await shop.store.listWebhookDeliveries({ limit: 1 });
      if (delivery?.nextAt == null) break;
      shop.clock.now = delivery.nextAt - 1;
      await shop.work();
      shop.clock.now += 1;
    }
    const gaps = shop.requests.map(({ at }, index) => at - (shop.requests[index - 1]?.at ?? at)).slice(1);
    const planned = [
      5_000,
      5 * minute,
      30 * minute,
      2 * hour,
      5 * hour,
      10 * hour,
      14 * hour,
      20 * hour,
      24 * hour,
    ];
    expect(gaps).toHaveLength(planned.length);
    for (const [index, gap] of gaps.entries()) {
      expect(gap).toBeGreaterThanOrEqual(planned[index] ?? 0);
      expect(gap).toBeLessThanOrEqual((planned[index] ?? 0) * 1.1);
    }
    expect(await shop.store.listWebhookDeliveries({ limit: 9 })).toMatchObject([
      { state: 'failed', attempts: 10, nextAt: null },
    ]);
  });

  it.each([
    ['seconds', '120', 120_000],
    ['a date', new Date(Date.UTC(2026, 2, 28, 3) + 7 * minute).toUTCString(), 7 * minute],
    ['nonsense', 'soon', 5_000],
  ])('waits as long as Retry-After says, in %s', async (_name, retryAfter, least) => {
    const shop = await createShop(() => ({ status: 503, retryAfter }));
    await shop.endpoint({ types: ['order.created'] });
    await placed(shop);
    await shop.work();
    const [delivery] = await shop.store.listWebhookDeliveries({ limit: 1 });
    const wait = (delivery?.nextAt ?? 0) - shop.clock.now;
    expect(wait).toBeGreaterThanOrEqual(least);
    expect(wait).toBeLessThanOrEqual(least + 600);
  });

  it('stops immediately after a 410, and after five days without a success', async () => {
    const gone = await createShop(() => ({ status: 410 }));
    await gone.endpoint();
    const orderId = await placed(gone);
    await gone.work();
    await gone.sandbox.act(orderId, 'pay');
    await gone.work();
    expect(gone.types()).toEqual(['order.created']);
    expect(await gone.store.listWebhookEndpoints()).toMatchObject([{ disabled: 'gone' }]);

    const failing = await createShop(() => ({ status: 301 }));
    await failing.endpoint({ types: ['order.created'] });
    await placed(failing);
    await failing.work();
    await failing.advance(5 * day - minute);
    expect(await failing.store.listWebhookEndpoints()).toMatchObject([{ disabled: null }]);
    await placed(failing);
    await failing.advance(2 * minute);
    expect(await failing.store.listWebhookEndpoints()).toMatchObject([{ disabled: 'failing' }]);
    expect(failing.sent.at(-1)).toMatchObject({ disabled: 'failing', status: 301 });
  });

  it("sends an order's next event only after an attempt for the previous event, and sends the events of other orders meanwhile", async () => {
    const held: (() => void)[] = [];
    const shop = await createShop(() => new Promise((resolve) => held.push(() => resolve({ status: 200 }))));
    await shop.endpoint({ types: orderEventTypes });
    const first = await placed(shop);
    await shop.sandbox.act(first, 'pay');
    await placed(shop, { id: '87654321' });
    await shop.work();
    expect(shop.types()).toEqual(['order.created', 'order.created']);
    for (const release of held.splice(0)) release();
    await shop.work();
    expect(shop.types()).toEqual(['order.created', 'order.created', 'order.paid']);
  });

  it('sends at most eight requests to an endpoint at a time, without delaying another endpoint', async () => {
    const shop = await createShop(({ url }) =>
      url.includes('slow') ? new Promise(() => {}) : { status: 200 },
    );
    await shop.endpoint({ types: ['order.created'], url: 'https://slow.test/' });
    await shop.endpoint({ types: ['order.created'], url: 'https://fast.test/' });
    for (let index = 0; index < 20; index += 1) await placed(shop, { id: `${10_000_000 + index}` });
    await shop.work();
    const count = (host: string): number => shop.requests.filter(({ url }) => url.includes(host)).length;
    expect([count('slow'), count('fast')]).toEqual([8, 20]);
  });

  it('starts few deliveries while requests keep the host busy', async () => {
    const shop = await createShop();
    await shop.endpoint({ types: ['order.created'] });
    for (let index = 0; index < 40; index += 1) await placed(shop, { id: `${10_000_000 + index}` });
    shop.busy.isBusy = true;
    await shop.engine.dueWork.run();
    await expect.poll(() => shop.requests.length).toBeGreaterThan(0);
    // Time for more to begin.
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(shop.requests.length).toBeLessThanOrEqual(20);
    shop.busy.isBusy = false;
    await shop.work();
    expect(shop.requests).toHaveLength(40);
  });

  it('repeats deliveries that were in flight when the host stopped, with the same id', async () => {
    const shop = await createShop(
      ({ signal }) =>
        new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('stopped')))),
    );
    await shop.endpoint({ types: ['order.created'] });
    await placed(shop);
    await shop.work();
    shop.stop.abort();
    await new Promise((resolve) => setTimeout(resolve, 5));
    const [delivery] = await shop.store.listWebhookDeliveries({ limit: 1 });
    expect(delivery).toMatchObject({ state: 'pending', attempts: 0 });
    expect(await shop.store.findDueWebhooks(delivery?.endpointId ?? '', shop.clock.now, 5)).toHaveLength(1);
  });
});
