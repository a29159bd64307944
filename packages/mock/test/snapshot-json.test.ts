import { readFile } from 'node:fs/promises';
import { keptTables, snapshotTables } from '@topup-kit/core/features/sandbox';
import { createMemoryStore, laterOrderFields } from '@topup-kit/core/store';
import { describe, expect, it } from 'vitest';
import { createMockService, type MockService } from '../src/index.ts';
import { shopOf } from './helpers/shop.ts';

const jsonOf = (mock: MockService): string => JSON.stringify(mock.snapshot(), null, 2);

/** A mock in whose world much has happened. */
async function busyMock(): Promise<{ mock: MockService; orderIds: string[] }> {
  const mock = createMockService({ seed: 7 });
  const { order } = shopOf(mock);
  const { orderId } = await order({ promo_code: 'ONCE20' });
  const orderIds = [orderId];
  for (const state of ['PAID / Sukses', 'PAID / Gagal', 'EXPIRED / Batal', 'REFUND / Gagal'] as const)
    orderIds.push(
      (await mock.orders.create({ ...(await orderOf()), id: `1${orderIds.length}345678` }, state)).order_id,
    );
  await mock.clock.advance('10m');
  mock.faults.add({ error: 'GAME_CLOSED', operation: 'getInvoice', every: 3, for: '1h' });
  mock.webhooks.fault('twice', 2);
  return { mock, orderIds };
}

const ordersWithLaterFields = (orders: object): object =>
  Object.fromEntries(
    Object.entries(orders).map(([id, order]) => [id, Object.assign({ ...laterOrderFields }, order)]),
  );

const orderOf = async () => ({
  ...{ id: '12345678', server: '2012', game: 'mobile-legends', product_id: 901, payment_method_id: 12 },
  whatsapp: '081234567890',
});

describe('the JSON of a snapshot', () => {
  it("restores another mock's snapshot with orders, histories, clock, promo uses, faults and requests", async () => {
    const { mock, orderIds } = await busyMock();
    const json = jsonOf(mock);
    const at = mock.clock.now();
    const other = createMockService({ seed: 99 });
    other.restore(JSON.parse(json));

    expect(other.clock.now() - at).toBeLessThan(5_000);
    const { state, post } = shopOf(other);
    expect(await Promise.all(orderIds.map(state))).toEqual([
      ...['UNPAID / Pending', 'PAID / Sukses', 'PAID / Gagal', 'EXPIRED / Batal', 'REFUND / Gagal'],
    ]);
    expect((await post({ promo_code: 'ONCE20' })).status).toBe(422);
    expect(other.faults.list()).toMatchObject([{ error: 'GAME_CLOSED', every: 3, for: '1h' }]);
    expect(other.requests.slice(0, mock.requests.length)).toEqual(mock.requests);
    await other.orders.pay(orderIds[0] ?? '');
    await other.clock.advance('2s');
    expect(await state(orderIds[0] ?? '')).toBe('PAID / Sukses');
  });

  it('writes an unchanged snapshot, except for its time, if nothing has happened since a restore', async () => {
    const { mock } = await busyMock();
    const first = JSON.parse(jsonOf(mock));
    const other = createMockService({ seed: 7 });
    other.restore(first);
    const second = JSON.parse(jsonOf(other));
    for (const { tables, scenario, webhooks, mock: ofMock } of [second])
      expect({ tables, scenario, webhooks, ofMock }).toEqual({
        tables: first.tables,
        scenario: first.scenario,
        webhooks: { ...first.webhooks },
        ofMock: first.mock,
      });
  });

  it('contains sorted keys, readable times and a format, but no API keys or logins', async () => {
    const { mock, orderIds } = await busyMock();
    const text = jsonOf(mock);
    const snapshot = JSON.parse(text);
    expect(Object.keys(snapshot)[0]).toBe('format');
    expect(snapshot).toMatchObject({ format: 'topup-kit/snapshot@1', checksum: expect.any(String) });
    const [orderId = ''] = orderIds;
    const order = snapshot.tables.orders[orderId];
    for (const part of [snapshot.tables, snapshot.tables.orders, order])
      expect(Object.keys(part)).toEqual(Object.keys(part).toSorted());
    expect(order.expiresAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(text).not.toContain(mock.otherApiKey);
    expect(text).not.toMatch(/whsec_|"(keys|customerSecret|consoleSessions|endpoints)"/);
  });

  it("keeps a client's request unchanged", async () => {
    const mock = createMockService();
    const { ask } = shopOf(mock);
    await ask('/order', {
      method: 'POST',
      body: JSON.stringify({ at: '2026-01-01T00:00:00.000Z', until: 5 }),
    });
    const other = createMockService();
    other.restore(JSON.parse(jsonOf(mock)));
    expect(other.requests).toEqual(mock.requests);
    expect(other.requests[0]?.body).toEqual({ at: '2026-01-01T00:00:00.000Z', until: 5 });
  });

  it('accepts a snapshot with another layout and another sequence of keys', async () => {
    const { mock, orderIds } = await busyMock();
    const { format, ...rest } = JSON.parse(jsonOf(mock));
    const other = createMockService();
    other.restore(JSON.parse(JSON.stringify({ ...rest, format })));
    expect(await shopOf(other).state(orderIds[0] ?? '')).toBe('UNPAID / Pending');
  });

  it('continues the sequence of changes, so that a receiver gets only new events', async () => {
    const { mock, orderIds } = await busyMock();
    const other = createMockService();
    const types: string[] = [];
    other.restore(JSON.parse(jsonOf(mock)));
    other.webhooks.on(({ type }) => types.push(String(type)));
    await other.orders.pay(orderIds[0] ?? '');
    await other.webhooks.settled();
    expect(types).toEqual(['order.paid', 'order.paid', 'order.processing', 'order.processing']);
  });

  it('contains no receivers, because their URLs are meaningful only to the test', () => {
    const mock = createMockService();
    mock.webhooks.deliverTo(() => new Response(), 'http://shop.test/hooks');
    expect(mock.snapshot().webhooks).toMatchObject({ receivers: [] });
  });

  it.each([
    ['of this mock', (mock: MockService) => mock.snapshot()],
    ['as JSON', (mock: MockService) => JSON.parse(jsonOf(mock))],
  ])('restores the faults for the next events from %s', (_of, take) => {
    const mock = createMockService();
    mock.webhooks.fault('lost');
    const saved = take(mock);
    mock.webhooks.fault('twice');
    mock.restore(saved);
    expect(mock.snapshot().webhooks).toMatchObject({ faults: ['lost'] });
  });

  const wrong: [what: string, change: (snapshot: Record<string, unknown>) => unknown, message: RegExp][] = [
    [
      'another format',
      () => ({ format: 'topup-kit/catalog@1' }),
      /its format must be topup-kit\/snapshot@1, not topup-kit\/catalog@1/,
    ],
    ['no format', () => ({}), /its format must be topup-kit\/snapshot@1, not undefined/],
    ['no object', () => [1], /its format must be/],
    [
      'a newer format',
      (snapshot) => ({ ...snapshot, format: 'topup-kit/snapshot@12' }),
      /newer version of Topup Kit \(topup-kit\/snapshot@12\)/,
    ],
    [
      'a changed price',
      (snapshot) => JSON.parse(JSON.stringify(snapshot).replace(/"total_price":\d+/, '"total_price":1')),
      /checksum does not match/,
    ],
    ['a missing table', ({ tables: _left, ...rest }) => rest, /checksum does not match/],
    ['no checksum', ({ checksum: _left, ...rest }) => rest, /checksum does not match/],
  ];
  it.each(wrong)('rejects a snapshot that has %s, and changes nothing', async (_what, change, message) => {
    const { mock, orderIds } = await busyMock();
    const before = jsonOf(mock);
    const changed = change(JSON.parse(before));
    expect(() => mock.restore(changed as { format: string })).toThrow(message);
    expect(() => mock.restore(changed as { format: string })).toThrow(TypeError);
    expect(JSON.parse(jsonOf(mock)).tables).toEqual(JSON.parse(before).tables);
    expect(await shopOf(mock).state(orderIds[0] ?? '')).toBe('UNPAID / Pending');
  });

  it('restores a snapshot of the first format in every later version', async () => {
    const mock = createMockService();
    const first = JSON.parse(await readFile(new URL('./fixtures/snapshot-1.json', import.meta.url), 'utf8'));
    mock.restore(first);
    expect(JSON.parse(jsonOf(mock)).tables.orders).toEqual(ordersWithLaterFields(first.tables.orders));
    const { state } = shopOf(mock);
    expect(new Date(mock.clock.now()).toISOString()).toMatch(/^2026-03-29T0\d:/);
    const ids = Object.keys(JSON.parse(jsonOf(mock)).tables.orders);
    const states = async () => (await Promise.all(ids.map(state))).toSorted();
    expect(await states()).toEqual(['PAID / Sukses', 'UNPAID / Pending']);
    await mock.clock.advance('31m');
    expect(await states()).toEqual(['EXPIRED / Batal', 'PAID / Sukses']);
  });

  it('classifies each table of a store as included, kept or emptied', () => {
    const emptied = ['callbacks', 'webhookDeliveries', 'worldOffset'];
    const decided = [...snapshotTables, ...keptTables, ...emptied];
    expect(Object.keys(createMemoryStore().snapshot()).toSorted()).toEqual(decided.toSorted());
  });
});

describe('a seed', () => {
  const order = {
    ...{ id: '12345678', server: '2012', game: 'mobile-legends', product_id: 901, payment_method_id: 12 },
    whatsapp: '081234567890',
  };

  it('sets the clock, the catalogue, orders in states, and faults, in this sequence', async () => {
    const mock = createMockService();
    const { games, promos: _left, ...catalog } = mock.catalog.get();
    const orders = await mock.populate({
      format: 'topup-kit/seed@1',
      clock: '2026-03-29T10:00:00+07:00',
      catalog: { ...catalog, games: games.slice(0, 1), promos: [] },
      orders: [order, { ...order, quantity: 2, state: 'PAID / Gagal' }],
      faults: [{ error: 'UNAVAILABLE', operation: 'listGames' }],
    });
    expect(orders).toMatchObject([
      { order_id: expect.stringContaining('INV-20260329100000'), payment_status: 'UNPAID' },
      { payment_status: 'PAID', buy_status: 'Gagal' },
    ]);
    expect(mock.catalog.get().games).toHaveLength(1);
    expect(mock.clock.now() - Date.parse('2026-03-29T10:00:00+07:00')).toBeLessThan(5_000);
    expect((await shopOf(mock).ask('/games')).status).toBe(503);
  });

  const wrong: [what: string, seed: object, message: RegExp][] = [
    ['another format', { format: 'x' }, /its format must be topup-kit\/seed@1, not x/],
    ['a newer format', { format: 'topup-kit/seed@2' }, /newer version/],
    ['an unknown part', { ordres: [] }, /There is no parameter ordres/],
    ['an invalid moment', { clock: 'tomorrow' }, /The clock field must be a time/],
    ['a moment in a hundred years', { clock: '2126-03-29T10:00:00Z' }, /clock/],
    ['an invalid catalogue', { catalog: { games: 1 } }, /catalog/],
    ['orders that are no list', { orders: {} }, /The orders field must be a list of JSON objects/],
    ['an unknown state', { orders: [order, { ...order, state: 'PAID' }] }, /orders\[1\]\.state/],
    ['a misspelt field', { orders: [{ ...order, produkt: 1 }] }, /produkt/],
    [
      'an order of no product',
      { orders: [order, { ...order, product_id: 1 }] },
      /orders\[1\].*PRODUCT_NOT_FOUND/,
    ],
    ['a wrong fault', { orders: [order], faults: [{ error: 'NOPE' }] }, /faults\[0\]\.error/],
  ];
  it.each(wrong)('rejects %s by name, and changes nothing', async (_what, seed, message) => {
    const mock = createMockService();
    const before = mock.snapshot();
    const document = { format: 'topup-kit/seed@1' as const, ...seed };
    await expect(mock.populate(document as { format: 'topup-kit/seed@1' })).rejects.toThrow(message);
    const { ahead_ms, tables, scenario } = mock.snapshot();
    expect({ tables, scenario }).toEqual({ tables: before.tables, scenario: before.scenario });
    expect(ahead_ms).toBe(0);
  });
});
