import { describe, expect, it } from 'vitest';
import {
  closeRefund,
  findCustomerOrders,
  markOrder,
  refundOrder,
  retryOrder,
  settleReconciliation,
} from '../src/features/index.ts';
import { erasedText, type Reconciliation, type Store } from '../src/features/store.ts';
import { magicIds } from '../src/supplier/index.ts';
import { createTestService, fixtureOrder, sha256, type TestServiceOptions } from './helpers/test-service.ts';

const day = 86_400_000;

/** A shop that erases orders of 40 days. */
async function openShop(options: TestServiceOptions = {}) {
  const shop = await createTestService({ retentionDays: 40, ...options });
  const { clock, engine, sandbox, store } = shop;
  return {
    ...shop,
    async place(changes: object = {}): Promise<string> {
      return (await shop.order({ ...fixtureOrder, promo_code: undefined, ...changes })).json.orderId;
    },
    async deliver(orderId: string): Promise<void> {
      await sandbox.act(orderId, 'pay');
      await sandbox.act(orderId, 'deliver');
    },
    async wait(days: number): Promise<void> {
      clock.now += days * day;
      // Orders expire first, and a day is gone through a page at a time.
      for (let run = 0; run < 5; run += 1) await engine.dueWork.run();
    },
    customerOf: async (orderId: string) => (await store.findOrder(orderId))?.contact.whatsapp,
    operator: { store, worldClock: () => clock.now, operator: 'ani' },
  };
}

describe('with TOPUP_RETENTION_DAYS, due work', () => {
  it('erases finished orders that are as old as TOPUP_RETENTION_DAYS, and no newer orders', async () => {
    const { place, deliver, wait, customerOf, store, get } = await openShop();
    const old = await place();
    await deliver(old);
    const expired = await place();
    await wait(20);
    const young = await place();
    await deliver(young);
    await wait(19.9);
    expect(await Promise.all([old, expired, young].map(customerOf))).not.toContain(erasedText);
    await wait(1.2);
    expect(await Promise.all([old, expired, young].map(customerOf))).toEqual([
      ...[erasedText, erasedText],
      fixtureOrder.whatsapp,
    ]);
    const { json } = await get(`/invoice/${old}`);
    expect(json.order).toMatchObject({
      ...{ id_games: 'erased', server_games: null, nickname: null, email: null, whatsapp: 'erased' },
      ...{ payment_status: 'PAID', buy_status: 'Sukses', total_price: 44_000 },
    });
    expect(json.order).not.toHaveProperty('serial_number');
    expect(await store.listErasures()).toEqual([
      { at: expect.any(Number), by: 'TOPUP_RETENTION_DAYS', orders: 2, callbacks: 0, events: 0 },
    ]);
  });

  it('keeps an order that is owed money until the refund is settled, and erases it on a later day', async () => {
    const { place, wait, customerOf, sandbox, operator } = await openShop();
    const owed = await place({ id: magicIds.unknownPlayer });
    await sandbox.act(owed, 'pay');
    await wait(41);
    expect(await customerOf(owed)).toBe(fixtureOrder.whatsapp);
    const { refunds } = await refundOrder(operator, owed, {});
    await wait(1.1);
    expect(await customerOf(owed)).toBe(fixtureOrder.whatsapp);
    for (const { refundId } of refunds)
      await closeRefund(operator, { refundId, state: 'paid', reference: 'BCA 1' });
    await wait(1.1);
    expect(await customerOf(owed)).toBe(erasedText);
  });

  it('erases more orders than a page contains, and continues after an order that fails', async () => {
    let broken = '';
    const failing = (store: Store): Store => ({
      ...store,
      eraseOrder: async (erase) => {
        if (erase.orderId === broken) throw new Error('a row is damaged');
        return store.eraseOrder(erase);
      },
    });
    const { place, wait, customerOf, reported } = await openShop({ store: failing });
    const ids: string[] = [];
    for (let count = 0; count < 120; count += 1) ids.push(await place());
    broken = ids[60] ?? '';
    // All have expired before it begins.
    await wait(1);
    await wait(41);
    const left: string[] = [];
    for (const orderId of ids) if ((await customerOf(orderId)) !== erasedText) left.push(orderId);
    expect(left).toEqual([broken]);
    expect(reported).toContainEqual(new Error('a row is damaged'));
  });

  it('erases nothing if TOPUP_RETENTION_DAYS is missing', async () => {
    const { place, wait, customerOf } = await openShop({ retentionDays: undefined });
    const orderId = await place();
    await wait(4_000);
    expect(await customerOf(orderId)).toBe(fixtureOrder.whatsapp);
  });
});

describe('an order with data that is still needed', () => {
  const payment = (orderId: string): Reconciliation => ({
    ...{ reconciliationId: 'rec-1', orderId, reference: 'r', amount: 44_000, fee: null, paidAt: 1 },
    ...{ noticedAt: 1, note: null, closedAt: null, closedBy: null },
    reason: 'late',
    state: 'open',
  });
  const customer = '6281234567890';

  it('keeps an unpaid order, an order for a day after it expired, and an order with a payment to reconcile', async () => {
    const { place, wait, operator, store } = await openShop({ retentionDays: undefined });
    const orderId = await place();
    const kept = async () => (await findCustomerOrders(operator, customer)).map((one) => one.kept);
    expect(await kept()).toEqual(['open']);
    await wait(0.5);
    expect(await kept()).toEqual(['late']);
    await wait(1);
    expect(await kept()).toEqual([null]);
    await store.addReconciliation(payment(orderId));
    expect(await kept()).toEqual(['reconcile']);
    await store.returnReconciliation('rec-1', 'paid back');
    expect(await kept()).toEqual([null]);
  });

  it('keeps an order in delivery, and an order whose supplier contradicted itself', async () => {
    const { place, operator, store, sandbox } = await openShop({ retentionDays: undefined });
    const orderId = await place({ quantity: 1 });
    const kept = async () => (await findCustomerOrders(operator, customer)).map((one) => one.kept);
    await sandbox.act(orderId, 'pay');
    expect(await kept()).toEqual(['open']);
    await sandbox.act(orderId, 'deliver');
    expect(await kept()).toEqual([null]);
    const [order, [unit]] = [await store.findOrder(orderId), await store.findUnits(orderId)];
    if (!order || !unit) throw new Error('it has no item');
    await store.changeOrder({
      ...{ orderId, version: order.version, to: order, entry: null, promo: 'keep', settles: [], refunds: [] },
      ...{ units: [{ ...unit, contradiction: 'It failed.' }], serialNumber: order.serialNumber },
    });
    expect(await kept()).toEqual(['contradicted']);
  });
});

it("keeps counting an erased order's promo use by the hash of its customer", async () => {
  const claims: unknown[] = [];
  const listening = (store: Store): Store => ({
    ...store,
    placeOrder: (placed) => {
      claims.push(placed.promo);
      return store.placeOrder(placed);
    },
  });
  const { place, store } = await openShop({ store: listening });
  const promo = (await store.readCatalog())?.promos.find(({ code }) => code === fixtureOrder.promo_code);
  if (!promo) throw new Error('there is no such promo');
  for (const per_customer of [null, 5]) {
    await store.putPromo({ ...promo, per_customer });
    await place({ promo_code: promo.code });
  }
  const claim = { code: promo.code, customer: '6281234567890' };
  expect(claims).toEqual([
    { ...claim, perCustomer: null },
    { ...claim, perCustomer: 5, customerHash: sha256(`secret ${claim.customer}`) },
  ]);
});

describe('an erased order', () => {
  it('buys nothing for an erased order, and rejects the settlement of a late payment and a retry', async () => {
    const { place, wait, store, operator, customerOf } = await openShop();
    const expired = await place();
    await wait(42);
    expect(await customerOf(expired)).toBe(erasedText);
    const order = await store.findOrder(expired);
    await store.addReconciliation({
      ...{
        reconciliationId: 'rec-1',
        orderId: expired,
        reference: 'r',
        amount: 44_000,
        fee: null,
        paidAt: 1,
      },
      ...{ noticedAt: 1, reason: 'late', state: 'open', note: null, closedAt: null, closedBy: null },
    });
    await expect(settleReconciliation(operator, { reconciliationId: 'rec-1' })).rejects.toThrow(
      'Its personal data was erased, so nothing can be delivered for it any more.',
    );
    expect(await store.findOrder(expired)).toEqual(order);
  });

  it('never retries an erased order, whatever its supplier reports later', async () => {
    const { place, deliver, wait, store, operator } = await openShop();
    const delivered = await place({ quantity: 1 });
    await deliver(delivered);
    await wait(42);
    await markOrder(operator, delivered, { outcome: 'failed', note: 'not there' });
    await expect(retryOrder(operator, delivered)).rejects.toThrow('Its personal data was erased');
    expect((await store.findUnits(delivered))[0]).toMatchObject({ state: 'failed', attempt: 1 });
  });

  it('lists erased events in the feed with the original ids and positions', async () => {
    const { place, deliver, wait, get } = await openShop();
    const { json: start } = await get('/events');
    const orderId = await place({ email: 'budi@mail.test', nickname: 'BudiPro' });
    await deliver(orderId);
    const read = async () => (await get(`/events?after=${start.next_cursor}&limit=100`)).json;
    const before = await read();
    expect(JSON.stringify(before)).toContain('BudiPro');
    await wait(42);
    const after = await read();
    const names = ({ data }: { data: { id: string; type: string }[] }) =>
      data.map(({ id, type }) => [id, type]);
    expect(names(after)).toEqual(names(before));
    for (const text of ['BudiPro', 'budi@mail', fixtureOrder.whatsapp])
      expect(JSON.stringify(after)).not.toContain(text);
    for (const { data } of after.data) expect(data.order.whatsapp).toBe('erased');
  });
});
