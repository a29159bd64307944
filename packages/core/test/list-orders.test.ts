import { describe, expect, it } from 'vitest';
import { createTestService, fixtureOrder } from './helpers/test-service.ts';

const idsIn = ({ json }: { json: { data: { order_id: string }[] } }): string[] =>
  json.data.map((order) => order.order_id);

async function createShops() {
  const service = await createTestService();
  const { order, keyOf } = service;
  const [mine, theirs] = [await keyOf('shop'), await keyOf('shop-2')];
  const place = async (key: string, idempotencyKey: string): Promise<string> =>
    (await order(fixtureOrder, { key, headers: { 'Idempotency-Key': idempotencyKey } })).json.orderId;
  return { ...service, mine, theirs, place };
}

describe('a list of orders', () => {
  it('has each order of its account once, page by page, and none of another account', async () => {
    const { get, place, mine, theirs } = await createShops();
    const placed = [await place(mine, 'one'), await place(mine, 'two'), await place(mine, 'three')];
    await place(theirs, 'four');
    const first = await get('/orders?limit=2', { key: mine });
    expect(idsIn(first)).toHaveLength(2);
    const second = await get(`/orders?limit=2&cursor=${first.json.next_cursor}`, { key: mine });
    expect(second.json.next_cursor).toBeNull();
    expect([...idsIn(first), ...idsIn(second)].sort()).toEqual(placed.sort());
  });

  it('finds an order by its idempotency key, for the account that used it only', async () => {
    const { get, place, mine, theirs } = await createShops();
    const orderId = await place(mine, 'the-key');
    await place(mine, 'another-key');
    expect(idsIn(await get('/orders?idempotency_key=the-key', { key: mine }))).toEqual([orderId]);
    expect(idsIn(await get('/orders?idempotency_key=the-key', { key: theirs }))).toEqual([]);
  });

  it("rejects the cursor of another account's list", async () => {
    const { get, place, mine, theirs } = await createShops();
    const orderId = await place(theirs, 'one');
    expect((await get(`/orders?cursor=${orderId}`, { key: mine })).status).toBe(422);
  });

  it('needs a valid key', async () => {
    const { get } = await createShops();
    expect((await get('/orders', { key: 'wrong' })).status).toBe(401);
  });
});
