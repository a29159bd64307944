import { describe, expect, it } from 'vitest';
import { kitDialect } from '../src/contract/index.ts';
import { createTestService, fixtureOrder } from './helpers/test-service.ts';

type Service = Awaited<ReturnType<typeof createTestService>>;

/** Places orders one second apart; returns their ids, the newest first. */
async function place(service: Service, count: number, init: Parameters<Service['order']>[1] = {}) {
  const ids: string[] = [];
  for (let index = 0; index < count; index++) {
    service.clock.now += 1000;
    ids.unshift((await service.order(fixtureOrder, init)).json.orderId);
  }
  return ids;
}

const idsIn = ({ json }: { json: { data: { order_id: string }[] } }): string[] =>
  json.data.map(({ order_id }) => order_id);

describe('GET /orders', () => {
  it('lists orders newest first, in pages', async () => {
    const service = await createTestService();
    const ids = await place(service, 5);

    const first = await service.get('/orders?limit=2');
    const second = await service.get(`/orders?limit=2&cursor=${first.json.next_cursor}`);
    const third = await service.get(`/orders?limit=2&cursor=${second.json.next_cursor}`);

    expect([first, second, third].map(({ status }) => status)).toEqual([200, 200, 200]);
    expect([first, second, third].map(idsIn)).toEqual([ids.slice(0, 2), ids.slice(2, 4), ids.slice(4)]);
    expect(third.json.next_cursor).toBeNull();
  });

  it('shows what was ordered, without contact data', async () => {
    const service = await createTestService();
    const [id] = await place(service, 1);
    const { json } = await service.get('/orders');
    expect(json).toEqual({
      success: true,
      next_cursor: null,
      data: [
        {
          order_id: id,
          games: 'Mobile Legends: Bang Bang',
          product: '86 Diamond',
          code_product: 'ML86',
          id_games: '12345678',
          server_games: '2012',
          quantity: 2,
          total_price: 40_000,
          payment_name: 'QRIS',
          expired_time: expect.any(Number),
          payment_status: 'UNPAID',
          buy_status: 'Pending',
          created_at: '2026-03-28T10:00:01+07:00',
        },
      ],
    });
  });

  it('filters by state and by time', async () => {
    const service = await createTestService();
    const ids = await place(service, 3);
    await service.sandbox.act(ids[1] ?? '', 'pay');
    const at = (seconds: number) => Date.UTC(2026, 2, 28, 3) / 1000 + seconds;

    expect(idsIn(await service.get('/orders?payment_status=PAID'))).toEqual([ids[1]]);
    expect(idsIn(await service.get('/orders?buy_status=Pending'))).toEqual([ids[0], ids[2]]);
    expect(idsIn(await service.get(`/orders?created_from=${at(2)}`))).toEqual([ids[0], ids[1]]);
    expect(idsIn(await service.get(`/orders?created_before=${at(2)}`))).toEqual([ids[2]]);
    expect(idsIn(await service.get(`/orders?created_from=${at(2)}&created_before=${at(3)}`))).toEqual([
      ids[1],
    ]);
  });

  it('expires an overdue order before it filters', async () => {
    const service = await createTestService();
    const [id] = await place(service, 1);
    service.clock.now += 31 * 60_000;
    expect(idsIn(await service.get('/orders?payment_status=UNPAID'))).toEqual([]);
    expect(idsIn(await service.get('/orders?payment_status=EXPIRED'))).toEqual([id]);
  });

  it('finds the order that was placed with a key', async () => {
    const service = await createTestService();
    const [id] = await place(service, 1, { headers: { 'Idempotency-Key': 'key-1' } });
    await place(service, 1);
    expect(idsIn(await service.get('/orders?idempotency_key=key-1'))).toEqual([id]);
    expect(idsIn(await service.get('/orders?idempotency_key=key-1&payment_status=PAID'))).toEqual([]);
    expect(idsIn(await service.get('/orders?idempotency_key=key-2'))).toEqual([]);
  });

  it("lists only orders of the key's account", async () => {
    const service = await createTestService();
    const [key, other] = [await service.keyOf('shop'), await service.keyOf('other')];
    const headers = { 'Idempotency-Key': 'key-1' };
    const [id] = await place(service, 1, { key, headers });

    expect(idsIn(await service.get('/orders', { key }))).toEqual([id]);
    expect(idsIn(await service.get('/orders', { key: other }))).toEqual([]);
    expect(idsIn(await service.get('/orders?idempotency_key=key-1', { key: other }))).toEqual([]);
    expect((await service.get(`/orders?cursor=${id}`, { key: other })).status).toBe(422);
  });

  it.each([
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    ['limit=many', 'limit'],
    ['cursor=INV-1', 'cursor'],
    ['payment_status=paid', 'payment_status'],
    ['buy_status=PAID', 'buy_status'],
    ['created_from=yesterday', 'created_from'],
    ['created_before=-1', 'created_before'],
  ])('rejects the query for orders: %s', async (query, field) => {
    const { get } = await createTestService();
    const { status, json } = await get(`/orders?${query}`);
    expect(status).toBe(422);
    expect(Object.keys(json.errors)).toEqual([field]);
  });

  it.each([
    ['idempotency_key=', 'idempotency_key', 'The parameter idempotency_key must not be empty'],
    ['idempotency_key=%20', 'idempotency_key', 'The parameter idempotency_key must not be empty'],
    ['cursor=&limit=5', 'cursor', 'The parameter cursor must not be empty'],
    ['idempotencyKey=key-1', 'idempotencyKey', 'Did you mean idempotency_key?'],
    ['idempotency_key[]=key-1', 'idempotency_key[]', 'Did you mean idempotency_key?'],
    ['paymentStatus=PAID', 'paymentStatus', 'Did you mean payment_status?'],
    ['colour=red', 'colour', 'The parameters are limit, cursor, payment_status'],
    ['__proto__=1', '__proto__', 'There is no parameter __proto__'],
    ['idempotency_key=a&idempotency_key=b', 'idempotency_key', 'must be sent only once'],
  ])('rejects the filter %s, which would list unexpected orders', async (query, field, message) => {
    const service = await createTestService();
    await place(service, 1);
    const { status, json } = await service.get(`/orders?${query}`, { headers: { 'Accept-Language': 'en' } });
    expect([status, Object.keys(json.errors)]).toEqual([422, [field]]);
    expect(json.message).toContain(message);
  });

  it('requires a key that may read orders', async () => {
    const { get, keyOf } = await createTestService();
    expect((await get('/orders', { key: '' })).status).toBe(401);
    expect((await get('/orders', { key: await keyOf('shop', ['catalog:read']) })).status).toBe(403);
  });

  it('reads and writes states by their names in the dialect', async () => {
    const paymentStatuses = { ...kitDialect.paymentStatuses, PAID: 'LUNAS' };
    const service = await createTestService({ settings: { dialect: { ...kitDialect, paymentStatuses } } });
    const [id] = await place(service, 1);
    await service.sandbox.act(id ?? '', 'pay');

    const { json } = await service.get('/orders?payment_status=LUNAS');
    expect(json.data).toMatchObject([{ order_id: id, payment_status: 'LUNAS' }]);
    const rejected = await service.get('/orders?payment_status=PAID', {
      headers: { 'Accept-Language': 'en' },
    });
    expect(rejected.json.errors.payment_status[0]).toContain('LUNAS');
  });

  it('offers no route in a dialect without a list of orders', async () => {
    const routes = { ...kitDialect.routes, listOrders: false };
    const { get } = await createTestService({ settings: { dialect: { ...kitDialect, routes } } });
    expect((await get('/orders')).status).toBe(404);
  });
});
