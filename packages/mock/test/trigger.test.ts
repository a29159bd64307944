import { expect, it } from 'vitest';
import { createMockService } from '../src/index.ts';
import { sampleOrder, shopOf } from './helpers/shop.ts';

it('triggers an event for a new order with any field, and sends its webhooks', async () => {
  const mock = createMockService();
  const types: string[] = [];
  mock.webhooks.on(({ type }) => types.push(type));
  const { order_id, buy_status } = await mock.trigger('order.failed', {
    product_id: 901,
    quantity: 3,
    reason: 'region_mismatch',
  });
  expect(buy_status).toBe('Gagal');
  expect(await shopOf(mock).invoice(order_id)).toMatchObject({
    quantity: 3,
    failure_reason: 'region_mismatch',
  });
  await mock.webhooks.settled();
  expect(types).toContain('order.failed');
  expect(mock.requests.map(({ operation }) => operation)).toEqual(['getInvoice']);
});

it('triggers an event for an existing order, and uses up no fault', async () => {
  const mock = createMockService();
  mock.faults.add({ error: 'GAME_CLOSED', operation: 'createOrder', times: 1 });
  const { order_id } = await mock.orders.create(sampleOrder);
  expect(await mock.trigger('order.delivered', { order: order_id })).toMatchObject({ order_id });
  expect(await shopOf(mock).state(order_id)).toBe('PAID / Sukses');
  expect(mock.faults.list()).toMatchObject([{ struck: 0 }]);
});

it("explains why an event can't be triggered", async () => {
  const mock = createMockService();
  const { order_id: order } = await mock.orders.create(sampleOrder, 'PAID / Proses');
  await expect(mock.trigger('order.paid', { order })).rejects.toThrow('PAID / Proses does not allow this');
  await expect(mock.trigger('order.paid', { product_id: 1 })).rejects.toThrow('Product not found.');
  // @ts-expect-error -- not an event
  await expect(mock.trigger('order.payed')).rejects.toThrow('must be one of order.created, order.paid');
  // @ts-expect-error -- not a field
  await expect(mock.trigger('order.paid', { prodct: 1 })).rejects.toThrow('There is no parameter prodct.');
});

it('triggers in the current world after a reset and after a restored snapshot', async () => {
  const mock = createMockService();
  await mock.trigger('order.paid');
  mock.reset();
  const { order_id } = await mock.trigger('order.paid');
  const saved = mock.snapshot();
  mock.reset();
  mock.restore(saved);
  expect(await mock.trigger('order.delivered', { order: order_id })).toMatchObject({ buy_status: 'Sukses' });
});
