import {
  closeRefund,
  findAlerts,
  markOrder,
  readRefundBalance,
  refundOrder,
  retryOrder,
  returnPayment,
  settleReconciliation,
} from '@topup-kit/core/engine';
import type { Reconciliation, Store } from '@topup-kit/core/store';
import * as z from 'zod/mini';
import { openShop } from '../../../../soak/money/shop.ts';
import { applyPaymentEvent } from '../../../core/src/engine/payments.ts';

/** How one order goes. */
export interface Fate {
  quantity: number;
  /** `stray`: under a reference that no order has. */
  pays: 'exact' | 'less' | 'more' | 'late' | 'twice' | 'stray' | 'never';
  /** What the supplier does with each item. */
  outcomes: readonly ('done' | 'failed' | 'pending' | 'pending-failed')[];
  acts: readonly Act[];
}

export const acts = [
  ...(['settle', 'return', 'refund', 'refund part', 'refund all', 'pay refund', 'cancel refund'] as const),
  ...([
    'retry',
    'gateway refund',
    'close gateway refund',
    'supplier takes back',
    'supplier delivers',
  ] as const),
] as const;
export type Act = (typeof acts)[number];

const gatewayBooks = z.object({
  payments: z.array(
    z.object({
      reference: z.string(),
      merchant_ref: z.string(),
      paid_amounts: z.array(z.int()),
      fee: z.int(),
      refunded: z.int(),
    }),
  ),
});
const supplierBooks = z.object({
  purchases: z.array(z.object({ ref_id: z.string(), price: z.int(), status: z.string(), sn: z.string() })),
});

/** The money of an order by the books of its providers, and by the operator's own account. Integers in the smallest unit. */
export interface OrderBooks {
  orderId: string;
  /** Each payment, when the customer made it, and what the gateway kept of it. */
  payments: { amount: number; fee: number }[];
  paidBackByGateway: number;
  paidBackByHand: number;
  bought: number;
}

/** What is paid under a reference that no order has, and kept of it. */
const strayFee = 900;

/** Plays orders of a live shop between simulators of Tripay and Digiflazz, until nothing waits any more. */
export async function playShop(store: Store, fates: readonly Fate[]): Promise<OrderBooks[]> {
  const pair = { gateway: 'tripay', supplier: 'digiflazz' } as const;
  await using shop = await openShop(pair, { dieAt: null, isAtBoth: false, store });
  const { providers, clock, advance } = shop;
  const deps = { store, worldClock: clock, operator: 'ani' };
  const byHand = new Map<string, number>();
  const strays = new Map<string, number>();
  const returnedByHand = new Set<string>();
  const payByHand = (orderId: string, amount: number): void =>
    void byHand.set(orderId, (byHand.get(orderId) ?? 0) + amount);

  const gateway = async (reference: string) =>
    gatewayBooks
      .parse(await providers.control('books/tripay'))
      .payments.find((payment) => payment.reference === reference);
  const purchasesOf = async (orderId: string) =>
    supplierBooks
      .parse(await providers.control('books/digiflazz'))
      .purchases.filter(({ ref_id }) => ref_id.startsWith(`${orderId}-`));

  /** Whether the gateway paid back this payment, and not what the order's refunds say. */
  async function isBackByGateway({ reference, amount }: Reconciliation, orderId: string): Promise<boolean> {
    const refunded = (await gateway(reference))?.refunded ?? 0;
    const counted = (await store.findRefunds(orderId)).some(
      (refund) => refund.closedBy === null && refund.state === 'paid',
    );
    return refunded >= amount && !counted;
  }

  async function giveBack(payment: Reconciliation, orderId: string): Promise<void> {
    if (!(await isBackByGateway(payment, orderId))) {
      payByHand(orderId, payment.amount);
      returnedByHand.add(payment.reference);
    }
    await returnPayment(deps, payment.reconciliationId, 'back');
  }

  /** What the gateway paid back was of the order, unless its duplicate was not paid back by hand. */
  async function closeGatewayRefund(payment: Reconciliation, orderId: string): Promise<void> {
    if (returnedByHand.has(payment.reference))
      await refundOrder(deps, orderId, { amount: payment.amount, note: 'chargeback' });
    else await returnPayment(deps, payment.reconciliationId, 'seen');
  }

  const strayOf = (orderId: string): string => `STRAY-${orderId}`;
  async function openOf(orderId: string, areRefunds: boolean): Promise<Reconciliation[]> {
    const open = await store.listReconciliations({ state: 'open' });
    return open.filter(
      (one) =>
        (one.orderId === orderId || one.reference === strayOf(orderId)) &&
        (one.reason === 'refunded') === areRefunds,
    );
  }
  const toPay = async (orderId: string) =>
    (await store.findRefunds(orderId)).filter(({ state }) => state === 'to-pay');
  async function pay(orderId: string): Promise<void> {
    for (const { refundId, amount } of await toPay(orderId)) {
      await closeRefund(deps, { refundId, state: 'paid', reference: 'transfer' });
      payByHand(orderId, amount);
    }
  }
  async function resolve(orderId: string, rc: '00' | '74'): Promise<void> {
    // Each item's last purchase: an earlier one that is delivered after all is a second one.
    const last = new Map(
      (await purchasesOf(orderId)).map(({ ref_id }) => [ref_id.replace(/-\d+$/, ''), ref_id]),
    );
    for (const ref_id of last.values()) await providers.control('digiflazz/resolve', { ref_id, rc });
  }

  async function act(orderId: string, reference: string, name: Act): Promise<void> {
    const [payment] = await openOf(orderId, false);
    const [refund] = await openOf(orderId, true);
    if (name === 'settle' && payment)
      await settleReconciliation(deps, {
        reconciliationId: payment.reconciliationId,
        orderId,
        otherAmount: true,
      });
    if (name === 'return' && payment) await giveBack(payment, orderId);
    if (name === 'refund') await refundOrder(deps, orderId, { note: 'why' });
    if (name === 'refund part') await refundOrder(deps, orderId, { amount: 1_500, note: 'goodwill' });
    if (name === 'refund all') await refundOrder(deps, orderId, { amount: 'all', note: 'wrong player' });
    if (name === 'pay refund') await pay(orderId);
    if (name === 'cancel refund')
      for (const { refundId } of await toPay(orderId))
        await closeRefund(deps, { refundId, state: 'cancelled', reference: 'not owed' });
    if (name === 'retry') await retryOrder(deps, orderId);
    if (name === 'gateway refund') await providers.control('tripay/refund', { reference });
    if (name === 'close gateway refund' && refund) await closeGatewayRefund(refund, orderId);
    if (name === 'supplier takes back') await resolve(orderId, '74');
    if (name === 'supplier delivers') await resolve(orderId, '00');
  }

  /** Ends what waits, by what the providers' books say. */
  async function finish(orderId: string): Promise<void> {
    for (const payment of await openOf(orderId, false)) await giveBack(payment, orderId);
    const order = await store.findOrder(orderId);
    if (order?.paymentStatus === 'PAID' || order?.paymentStatus === 'REFUND') {
      const sold = (await purchasesOf(orderId)).filter(({ status }) => status !== 'Gagal');
      for (const { unit, state, contradiction } of await store.findUnits(orderId)) {
        const proof = sold.find(({ ref_id }) => ref_id.startsWith(`${orderId}-${unit}-`));
        const outcome = proof ? 'delivered' : 'failed';
        if (state === outcome && contradiction === null) continue;
        await markOrder(deps, orderId, {
          unit,
          outcome,
          note: 'by the books',
          ...(proof && { serialNumber: proof.sn }),
        });
      }
    }
    for (const refund of await openOf(orderId, true)) await closeGatewayRefund(refund, orderId);
    const after = await store.findOrder(orderId);
    const isPaid = after?.paymentStatus === 'PAID' || after?.paymentStatus === 'REFUND';
    const { owed } = isPaid ? await readRefundBalance(deps, orderId) : { owed: 0 };
    if (isPaid && after.buyStatus === 'Gagal' && (owed > 0 || after.paymentStatus === 'PAID'))
      await refundOrder(deps, orderId, { note: 'failed' });
    await pay(orderId);
  }

  const shown: { orderId: string; reference: string }[] = [];
  for (const [index, { quantity, pays, outcomes, acts: planned }] of fates.entries()) {
    for (const outcome of outcomes.slice(0, quantity)) await providers.control('digiflazz/plan', { outcome });
    const order = await shop.order({ id: `1234567${index}`, quantity }, `key-${index}`);
    if (!order) throw new Error('the order was not placed');
    const { orderId, reference, total } = order;
    shown.push(order);
    const amount = pays === 'less' ? total - 500 : pays === 'more' ? total + 700 : total;
    if (pays === 'late') await advance(45 * 60);
    if (pays === 'stray') {
      strays.set(orderId, amount);
      const event = {
        reference: strayOf(orderId),
        orderId: null,
        status: 'paid',
        amount,
        fee: strayFee,
        at: clock(),
      } as const;
      await applyPaymentEvent({ store, now: clock() }, event);
    } else if (pays !== 'never')
      await providers.control('tripay/pay', { reference, amount, late: pays === 'late' });
    await advance(3);
    if (pays === 'twice') await providers.control('tripay/pay', { reference, amount, late: true });
    for (const seconds of [1, 60, 300]) await advance(seconds);
    for (const name of planned) {
      // Many are not allowed in the state of the order.
      await act(orderId, reference, name).catch(() => {});
      for (const seconds of [60, 3 * 3_600]) await advance(seconds);
    }
  }
  for (const seconds of [3_600, 24 * 3_600]) await advance(seconds);
  for (const { orderId } of shown) await finish(orderId);
  const alerts = await findAlerts(store, { now: clock(), realNow: clock() });
  const kinds = alerts
    .map(({ kind, names }) => `${kind}: ${names}`)
    .filter((text) => !text.startsWith('failing-callbacks'));
  if (kinds.length > 0) throw new Error(`This still waits: ${kinds.join('; ')}`);

  return await Promise.all(
    shown.map(async ({ orderId, reference }) => {
      const payment = await gateway(reference);
      const stray = strays.get(orderId);
      return {
        orderId,
        payments: [
          ...(payment?.paid_amounts ?? []).map((amount) => ({ amount, fee: payment?.fee ?? 0 })),
          ...(stray === undefined ? [] : [{ amount: stray, fee: strayFee }]),
        ],
        paidBackByGateway: payment?.refunded ?? 0,
        paidBackByHand: byHand.get(orderId) ?? 0,
        bought: (await purchasesOf(orderId))
          .filter(({ status }) => status !== 'Gagal')
          .reduce((sum, { price }) => sum + price, 0),
      };
    }),
  );
}
