import { describe, expect, it } from 'vitest';
import { change, unit } from '../../suites/src/store/fixtures.ts';
import { markOrder, retryOrder } from '../src/features/index.ts';
import type { StoredUnit } from '../src/features/store.ts';
import { magicIds } from '../src/supplier/index.ts';
import { asked, orderWith } from './helpers/delivery.ts';
import { createTestService, fixtureOrder } from './helpers/test-service.ts';

/** A service with an order for a player, paid and delivered as far as it goes. */
async function paidOrder(id: string, quantity = 1) {
  const service = await createTestService();
  const { orderId } = (await service.order({ ...fixtureOrder, id, quantity })).json;
  await service.sandbox.act(orderId, 'pay');
  await service.sandbox.advance(60_000);
  const deps = { store: service.store, worldClock: () => service.sandbox.world().now, operator: 'ani' };
  const invoice = async () => (await service.get(`/invoice/${orderId}`)).json.order;
  return { service, deps, orderId, invoice };
}

/** The invoice after each item got a state. */
async function invoiceOf(items: readonly Partial<StoredUnit>[]) {
  const { service, orderId, invoice } = await paidOrder(magicIds.fails, items.length);
  const order = await service.store.findOrder(orderId);
  if (!order) throw new Error('the order is missing');
  const units = items.map((item, index) => unit(index + 1, { nextAt: null, ...item }));
  const { version, paymentStatus, buyStatus } = order;
  await service.store.changeOrder(change({ orderId, version, to: { paymentStatus, buyStatus }, units }));
  return invoice();
}

describe('the invoice of a failed delivery', () => {
  it.each([
    ['fails', 1, 'product_unavailable'],
    ['partlyFails', 2, 'product_unavailable'],
    ['unknownPlayer', 1, 'account_not_found'],
  ] as const)('shows the reason for a failed delivery in the invoice: %s', async (name, quantity, reason) => {
    const { invoice, deps, orderId } = await paidOrder(magicIds[name], quantity);

    expect(await invoice()).toMatchObject({ buy_status: 'Gagal', failure_reason: reason });
    await retryOrder(deps, orderId);
    expect(await invoice()).toMatchObject({ buy_status: 'Proses' });
    expect(await invoice()).not.toHaveProperty('failure_reason');
  });

  it('shows no reason in the invoice of a delivered order', async () => {
    const { invoice } = await paidOrder('12345678');

    expect(await invoice()).toMatchObject({ buy_status: 'Sukses' });
    expect(await invoice()).not.toHaveProperty('failure_reason');
  });

  it('shows the first reason of the list if units failed for different reasons', async () => {
    const order = await invoiceOf([
      { state: 'failed', failureKind: 'supplier_failed' },
      { state: 'failed', failureKind: 'product_unavailable' },
      { state: 'failed', failureKind: 'region_mismatch' },
      { state: 'delivered' },
    ]);

    expect(order).toHaveProperty('failure_reason', 'region_mismatch');
  });

  it('shows no reason for a failure that an earlier version stored', async () => {
    expect(await invoiceOf([{ state: 'failed' }])).not.toHaveProperty('failure_reason');
  });

  it("keeps the supplier's reason after a refund, and shows the kit's reason after an operator's mark", async () => {
    const { invoice, deps, orderId, service } = await paidOrder('12345678');
    await markOrder(deps, orderId, { outcome: 'failed', note: 'the player shows an empty account' });

    expect(await invoice()).toMatchObject({ buy_status: 'Gagal', failure_reason: 'supplier_failed' });
    expect(JSON.stringify(await invoice())).not.toContain('empty account');
    await service.sandbox.act(orderId, 'refund');
    expect(await invoice()).toMatchObject({ payment_status: 'REFUND', failure_reason: 'supplier_failed' });
  });
});

describe("a supplier's failure", () => {
  it.each([
    ['region_mismatch', { kind: 'region_mismatch' }],
    ['supplier_failed', {}],
  ] as const)("stores a supplier's failure as %s", async (failureKind, kind) => {
    const { say, read } = await orderWith([asked]);
    await say({ state: 'failed', reason: 'rc 59', ...kind });

    expect(await read()).toMatchObject({ state: 'failed', reason: 'rc 59', failureKind });
  });
});
