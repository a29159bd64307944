import { describe, expect, it } from 'vitest';
import { settleReconciliation } from '../src/features/index.ts';
import { createTestService } from './helpers/test-service.ts';

const minute = 60_000;

async function unpaidOrder() {
  const service = await createTestService();
  const { data, orderId } = (await service.order()).json;
  const status = async () => {
    const { payment_status, buy_status } = (await service.get(`/invoice/${orderId}/payment-status`)).json
      .data;
    return `${payment_status} / ${buy_status}`;
  };
  const sendEvent = (over: object = {}) =>
    service.engine.handlePaymentEvent({
      reference: data.payment_reference,
      status: 'paid',
      amount: 40_000,
      at: service.clock.now,
      ...over,
    });
  return { ...service, orderId, status, sendEvent };
}

describe('a payment event', () => {
  it('pays the order for a payment of the whole amount', async () => {
    const { sendEvent, status } = await unpaidOrder();
    await sendEvent();
    expect(await status()).toBe('PAID / Proses');
  });

  it.each([1_030, 0])('stores the fee that the gateway reports with a payment: %i', async (fee) => {
    const { sendEvent, store, orderId } = await unpaidOrder();
    await sendEvent({ fee });
    expect(await store.findHistory(orderId)).toMatchObject([{ event: 'paid', fee }]);
  });

  it('stores a payment without a fee, and an event without a payment', async () => {
    const { sendEvent, store, orderId } = await unpaidOrder();
    await sendEvent({ status: 'expired', fee: 1_030 });
    await sendEvent({ at: null });
    for (const entry of await store.findHistory(orderId)) expect(entry).not.toHaveProperty('fee');
  });

  it('leaves the order unchanged after a repeated event', async () => {
    const { sendEvent, store, orderId } = await unpaidOrder();
    for (let count = 0; count < 5; count += 1) await sendEvent();
    expect(await store.findHistory(orderId)).toHaveLength(1);
    expect(await store.findUnits(orderId)).toHaveLength(2);
  });

  it('leaves the order unchanged after a contradictory event', async () => {
    const { sendEvent, status } = await unpaidOrder();
    await sendEvent();
    await sendEvent({ status: 'failed' });
    await sendEvent({ status: 'expired' });
    expect(await status()).toBe('PAID / Proses');
  });

  it('cancels the order for a failed payment, and releases its promo use', async () => {
    const { sendEvent, status, store } = await unpaidOrder();
    await sendEvent({ status: 'failed' });
    expect(await status()).toBe('FAILED / Batal');
    expect((await store.countPromoUses('RAMADAN10', '')).total).toBe(0);
  });

  it.each([39_999, 40_001])('stores a payment of %i instead of 40,000 for an operator', async (amount) => {
    const { sendEvent, status, store, orderId } = await unpaidOrder();
    await sendEvent({ amount });
    await sendEvent({ amount });
    expect(await status()).toBe('UNPAID / Pending');
    const open = await store.listReconciliations({ state: 'open' });
    expect(open).toMatchObject([{ orderId, amount, reason: 'amount' }]);
  });

  it('records a timely payment that is reported after the expiry, and claims the promo use again', async () => {
    const { sendEvent, status, clock, store } = await unpaidOrder();
    const at = clock.now + 29 * minute;
    clock.now += 31 * minute;
    expect(await status()).toBe('EXPIRED / Batal');
    await sendEvent({ at });
    expect(await status()).toBe('PAID / Proses');
    expect((await store.countPromoUses('RAMADAN10', '')).total).toBe(1);
  });

  it('stores a payment after the expiry for an operator, who settles it', async () => {
    const { sendEvent, status, clock, store } = await unpaidOrder();
    clock.now += 30 * minute;
    await sendEvent();
    expect(await status()).toBe('EXPIRED / Batal');
    const [open] = await store.listReconciliations({ state: 'open' });
    expect(open).toMatchObject({ reason: 'late' });
    const deps = { store, worldClock: () => clock.now, operator: 'ani' };
    await settleReconciliation(deps, { reconciliationId: open?.reconciliationId ?? '' });
    expect(await status()).toBe('PAID / Proses');
    expect(await store.listReconciliations({ state: 'open' })).toEqual([]);
    await expect(
      settleReconciliation(deps, { reconciliationId: open?.reconciliationId ?? '' }),
    ).rejects.toMatchObject({
      code: 'RECONCILIATION_CLOSED',
    });
  });

  it('claims the promo use again when an operator settles a payment', async () => {
    const { sendEvent, status, clock, store } = await unpaidOrder();
    clock.now += 30 * minute;
    await sendEvent();
    expect(await status()).toBe('EXPIRED / Batal');
    expect((await store.countPromoUses('RAMADAN10', '')).total).toBe(0);
    const [open] = await store.listReconciliations({ state: 'open' });
    await settleReconciliation(
      { store, worldClock: () => clock.now, operator: 'ani' },
      { reconciliationId: open?.reconciliationId ?? '' },
    );
    expect((await store.countPromoUses('RAMADAN10', '')).total).toBe(1);
  });

  it('finds no order for an unknown payment', async () => {
    const { engine } = await unpaidOrder();
    expect(await engine.handlePaymentEvent({ reference: 'x', status: 'paid', amount: 1, at: 0 })).toBeNull();
  });
});
