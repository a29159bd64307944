import { createMockService } from '@topup-kit/mock/in-process';
import { describe, expect, it } from 'vitest';
import { createTopupClient } from '../src/index.ts';
import { createTopupProxy } from '../src/proxy/index.ts';
import { orderRequest } from './package/helpers/consumer.ts';

/** A client of a mocked service with orders, and their ids, the newest first. */
async function clientWithOrders(count: number) {
  const mock = createMockService();
  const sent: string[] = [];
  const client = createTopupClient({
    baseUrl: mock.baseUrl,
    apiKey: mock.apiKey,
    fetch: async (request: Request) => {
      sent.push(new URL(request.url).search);
      return mock.fetch(request);
    },
  });
  const ids: string[] = [];
  for (let index = 0; index < count; index++) {
    await mock.clock.advance(1000);
    ids.unshift((await client.orders.create(orderRequest)).orderId);
  }
  sent.length = 0;
  return { client, ids, mock, sent };
}

describe('orders.list', () => {
  it.each<[query: object, message: RegExp]>([
    [{ idempotency_key: undefined }, /^idempotency_key must be a non-empty string/],
    [{ idempotency_key: '' }, /idempotency_key must be a non-empty string/],
    [{ idempotency_key: ' ' }, /idempotency_key must be a non-empty string/],
    [{ cursor: null }, /cursor must be a non-empty string/],
    [{ idempotencyKey: 'cart-17' }, /unknown option idempotencyKey. Did you mean idempotency_key\?/],
    [{ paymentStatus: 'PAID' }, /Did you mean payment_status\?/],
  ])('rejects %j before anything is sent', async (query, message) => {
    const { client, sent } = await clientWithOrders(1);
    const error = await client.orders.list(query).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ name: 'TopupUsageError', code: 'INVALID_OPTION' });
    expect(error).toHaveProperty('message', expect.stringMatching(message));
    expect(sent).toEqual([]);
  });

  it('leaves out a cursor and other filters that are undefined', async () => {
    const { client, ids, sent } = await clientWithOrders(1);
    const { data } = await client.orders.list({ cursor: undefined, payment_status: undefined, limit: 5 });
    expect([data[0]?.order_id, sent]).toEqual([ids[0], ['?limit=5']]);
  });

  it('rejects a key that may be undefined in its type', () => {
    const never = (_check: (list: typeof clientWithOrders, key?: string) => unknown) => {};
    never(async (create, key) => {
      const { client } = await create(0);
      // @ts-expect-error it may be undefined
      client.orders.list({ idempotency_key: key });
      // @ts-expect-error it is undefined
      client.orders.list({ idempotency_key: undefined });
      client.orders.list({ idempotency_key: key ?? 'cart-17', limit: 1 });
      client.orders.list({ cursor: undefined });
    });
  });

  it('resolves with one page', async () => {
    const { client, ids, sent } = await clientWithOrders(3);
    const { data, next_cursor } = await client.orders.list({ limit: 2, payment_status: 'UNPAID' });
    expect(data.map(({ order_id }) => order_id)).toEqual(ids.slice(0, 2));
    expect(next_cursor).toEqual(expect.any(String));
    expect(sent).toEqual(['?limit=2&payment_status=UNPAID']);
  });

  it('yields the orders of all pages', async () => {
    const { client, ids, sent } = await clientWithOrders(5);
    const listed: string[] = [];
    for await (const { order_id } of client.orders.list({ limit: 2 })) listed.push(order_id);
    expect(listed).toEqual(ids);
    expect(sent).toHaveLength(3);
  });

  it('resolves with a page that `for` iterates over, and that prints and compares like the response', async () => {
    const { client, ids, sent } = await clientWithOrders(3);
    const page = await client.orders.list({ limit: 2 });
    expect([...page].map(({ order_id }) => order_id)).toEqual(ids.slice(0, 2));
    expect(Object.keys(page)).toEqual(['success', 'data', 'next_cursor']);
    expect(sent).toHaveLength(1);
  });

  it('resolves with a page from which `for await` continues', async () => {
    const { client, ids, sent } = await clientWithOrders(5);
    const page = await client.orders.list({ limit: 2 });
    const listed: string[] = [];
    for await (const { order_id } of page) listed.push(order_id);
    expect(listed).toEqual(ids);
    expect(sent).toHaveLength(3);
  });

  it('returns a page with safe() and withResponse() as well', async () => {
    const { client, ids } = await clientWithOrders(1);
    const { data: safe } = await client.orders.list().safe();
    const { data: page } = await client.orders.list().withResponse();
    for (const orders of [safe ?? [], page]) expect([...orders]).toMatchObject([{ order_id: ids[0] }]);
  });

  it('reads no more pages than the loop needs', async () => {
    const { client, sent } = await clientWithOrders(5);
    for await (const _ of client.orders.list({ limit: 2 })) break;
    expect(sent).toHaveLength(1);
  });

  it('rejects a loop if a page is rejected', async () => {
    const { client } = await clientWithOrders(0);
    const loop = async () => {
      for await (const _ of client.orders.list({ cursor: 'nothing' })) expect.fail();
    };
    await expect(loop()).rejects.toMatchObject({ status: 422, code: 'VALIDATION_ERROR' });
  });

  it('offers no list of orders through the proxy, which would show the orders of all customers', () => {
    const options = { baseUrl: 'https://shop.test/api', apiKey: 'tk_test_x', basePath: '/api' };
    // @ts-expect-error the type doesn't allow it either
    expect(() => createTopupProxy({ ...options, routes: ['listOrders'] })).toThrow(/routes must be/);
  });
});
