import { describe, expect, it } from 'vitest';
import { settleReconciliation } from '../src/engine/index.ts';
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
  const news = (over: object = {}) =>
    service.engine.takePaymentNews({
      reference: data.payment_reference,
      status: 'paid',
      amount: 40_000,
      at: service.clock.now,
      ...over,
    });
  return { ...service, orderId, status, news };
}

describe('news of a payment', () => {
  it('of the whole amount pays the order', async () => {
    const { news, status } = await unpaidOrder();
    await news();
    expect(await status()).toBe('PAID / Proses');
  });

  it('told again changes nothing', async () => {
    const { news, store, orderId } = await unpaidOrder();
    for (let count = 0; count < 5; count += 1) await news();
    expect(await store.findHistory(orderId)).toHaveLength(1);
    expect(await store.findUnits(orderId)).toHaveLength(2);
  });

  it('that contradicts earlier news changes nothing', async () => {
    const { news, status } = await unpaidOrder();
    await news();
    await news({ status: 'failed' });
    await news({ status: 'expired' });
    expect(await status()).toBe('PAID / Proses');
  });

  it('of a failure cancels the order and gives its promo use back', async () => {
    const { news, status, store } = await unpaidOrder();
    await news({ status: 'failed' });
    expect(await status()).toBe('FAILED / Batal');
    expect((await store.countPromoUses('RAMADAN10', '')).total).toBe(0);
  });

  it.each([39_999, 40_001])('of %i instead of 40,000 is kept for an operator', async (amount) => {
    const { news, status, store, orderId } = await unpaidOrder();
    await news({ amount });
    await news({ amount });
    expect(await status()).toBe('UNPAID / Pending');
    const open = await store.listReconciliations('open');
    expect(open).toMatchObject([{ orderId, amount, reason: 'amount' }]);
  });

  it('that is late but tells of a payment in time pays an expired order, and takes the promo use anew', async () => {
    const { news, status, clock, store } = await unpaidOrder();
    const at = clock.now + 29 * minute;
    clock.now += 31 * minute;
    expect(await status()).toBe('EXPIRED / Batal');
    await news({ at });
    expect(await status()).toBe('PAID / Proses');
    expect((await store.countPromoUses('RAMADAN10', '')).total).toBe(1);
  });

  it('of a payment after the expiry is kept for an operator, who settles it', async () => {
    const { news, status, clock, store } = await unpaidOrder();
    clock.now += 30 * minute;
    await news();
    expect(await status()).toBe('EXPIRED / Batal');
    const [open] = await store.listReconciliations('open');
    expect(open).toMatchObject({ reason: 'late' });
    const deps = { store, worldClock: () => clock.now };
    await settleReconciliation(deps, open?.reconciliationId ?? '');
    expect(await status()).toBe('PAID / Proses');
    expect(await store.listReconciliations('open')).toEqual([]);
    await expect(settleReconciliation(deps, open?.reconciliationId ?? '')).rejects.toMatchObject({
      code: 'RECONCILIATION_NOT_FOUND',
    });
  });

  it('of an unknown payment is nobody’s', async () => {
    const { engine } = await unpaidOrder();
    expect(await engine.takePaymentNews({ reference: 'x', status: 'paid', amount: 1, at: 0 })).toBeNull();
  });
});
