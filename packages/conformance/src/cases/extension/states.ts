import { expectAbsent, expectAt } from '../../assertions.ts';
import type { SpecReference } from '../../failure.ts';
import { placeOrder, readInvoice } from '../../orders.ts';
import { type Probe, type Topic, writes } from '../../probe.ts';

const minute = 60_000;
const failureReason: SpecReference = 'open-points Routes/Invoice-order-live-order_id-games-title';

async function expectState(probe: Probe, orderId: string, state: string, by: SpecReference): Promise<void> {
  const [payment, buy] = state.split(' / ');
  const response = await probe.get(`/invoice/${orderId}/payment-status`);
  expectAt(response, 'data.payment_status', payment, by);
  expectAt(response, 'data.buy_status', buy, by);
}

export const stateCases: Topic = {
  'a paid order is PAID / Proses, and Sukses once every unit is delivered': writes(
    [
      'open-points States/UNPAID-PAID',
      'open-points States/Pending-Batal',
      'open-points States/Proses',
      failureReason,
    ],
    async (probe) => {
      const { act, advance } = probe.needSandbox();
      const { order } = await placeOrder(probe, { quantity: 2 });
      await act(order.order_id, 'pay');
      await expectState(probe, order.order_id, 'PAID / Proses', 'open-points States/UNPAID-PAID');
      await advance(minute);
      await expectState(probe, order.order_id, 'PAID / Sukses', 'open-points States/Proses');
      const { response } = await readInvoice(probe, order.order_id);
      expectAt(response, 'order.buy_status', 'Sukses', 'open-points States/Proses');
      expectAbsent(response, 'order.failure_reason', failureReason);
    },
  ),
  'an order that is not paid in time is EXPIRED / Batal, and its promo use is free again': writes(
    [
      'open-points States/UNPAID-EXPIRED',
      'open-points States/Pending',
      'open-points States/An-order-takes-its-promo-use',
    ],
    async (probe) => {
      const { advance } = probe.needSandbox();
      const changes = {
        promo_code: probe.need('oncePromoCode'),
        whatsapp: `0899${String(Date.now()).slice(-9)}`,
      };
      const { order } = await placeOrder(probe, changes);
      await advance((probe.dialect.expiryMinutes.QRIS + 1) * minute);
      await expectState(probe, order.order_id, 'EXPIRED / Batal', 'open-points States/UNPAID-EXPIRED');
      await placeOrder(probe, changes, { by: 'open-points States/An-order-takes-its-promo-use' });
    },
  ),
  'an order whose payment failed is FAILED / Batal': writes(
    ['open-points States/UNPAID-FAILED', 'open-points States/Pending'],
    async (probe) => {
      const { act } = probe.needSandbox();
      const { order } = await placeOrder(probe);
      await act(order.order_id, 'fail');
      await expectState(probe, order.order_id, 'FAILED / Batal', 'open-points States/UNPAID-FAILED');
    },
  ),
  'an order of which a unit cannot be delivered is PAID / Gagal': writes(
    ['open-points States/Proses', failureReason],
    async (probe) => {
      const { act, advance } = probe.needSandbox();
      probe.need('sandboxCatalogue');
      const { order } = await placeOrder(probe, { id: '900000002', quantity: 2 });
      await act(order.order_id, 'pay');
      await advance(minute);
      await expectState(probe, order.order_id, 'PAID / Gagal', 'open-points States/Proses');
      // This fails if the reason is not in the list of reasons.
      await readInvoice(probe, order.order_id);
    },
  ),
};
