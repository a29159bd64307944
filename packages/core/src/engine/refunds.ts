import type { Localised } from '../contract/index.ts';
import {
  owedInAll,
  paidBackBeside,
  type Reconciliation,
  type Refund,
  reconciliationsOf,
  type Store,
  type StoredOrder,
  type StoredUnit,
} from '../store/index.ts';
import { type Formats, OperatorError } from './errors.ts';

/** Compares a payment with a total, in words. */
export const comparedToTotal = (difference: number, money: Formats['money']): Localised => ({
  id: `${money(Math.abs(difference))} ${difference > 0 ? 'lebih' : 'kurang'} dari`,
  en: `${money(Math.abs(difference))} ${difference > 0 ? 'more' : 'less'} than`,
});

/** The error for an amount that can't be refunded, or can't pay for an order. Amounts are integers in the smallest unit. */
export class AmountError extends OperatorError {
  override readonly name = 'AmountError';
  /**
   * `invalid`: not a whole number above zero. `over-paid`: more than is left of the payment. `under-gateway`: less than the gateway has
   * already paid back. `other-than-total`: a payment that differs from the order's total. `nothing-owed`: everything was delivered, so an
   * amount is needed.
   */
  readonly problem: 'invalid' | 'over-paid' | 'under-gateway' | 'other-than-total' | 'nothing-owed';
  readonly amount: number;
  /** The rest of the payment, the amount that the gateway has paid back, or the order's total. */
  readonly limit: number;

  readonly words = ({ money }: Formats): Localised => {
    const { problem, amount, limit } = this;
    switch (problem) {
      case 'invalid':
        return {
          id: 'Jumlah harus bilangan bulat di atas nol.',
          en: 'The amount must be a whole number above zero.',
        };
      case 'over-paid':
        return {
          id: `${money(amount)} melebihi sisa pembayaran: ${money(limit)}.`,
          en: `${money(amount)} exceeds the rest of the payment: ${money(limit)}.`,
        };
      case 'under-gateway':
        return {
          id: `Gateway sudah mengembalikan ${money(limit)}, jadi pengembalian dana ${money(amount)} tidak bisa dicatat.`,
          en: `The gateway has already paid back ${money(limit)}, so the refund can't be ${money(amount)}.`,
        };
      case 'nothing-owed':
        return {
          id: 'Semua barang sudah terkirim, jadi tidak ada dana yang terutang: tulis jumlah pengembaliannya.',
          en: 'Everything was delivered, so nothing is owed: enter the amount to refund.',
        };
      case 'other-than-total': {
        const than = comparedToTotal(amount - limit, money);
        return {
          id: `Pembayaran ${money(amount)} ${than.id} total ${money(limit)}.`,
          en: `The payment of ${money(amount)} is ${than.en} the total of ${money(limit)}.`,
        };
      }
    }
  };

  constructor(problem: AmountError['problem'], amount: number, limit: number) {
    super(`The amount ${amount} is ${problem}: ${limit}.`);
    this.problem = problem;
    this.amount = amount;
    this.limit = limit;
  }
}

/** The money of a paid order. Amounts are integers in the smallest unit. */
export interface RefundBalance {
  /** The amount that the customer paid. */
  received: number;
  /** The amount that was or must be paid back, by refunds and by other repayments by the gateway. */
  refunded: number;
  /** Other repayments that the gateway reported and that no operator has handled yet. */
  reported: readonly Reconciliation[];
  delivered: number[];
  undelivered: number[];
  /** The amount still owed for undelivered units. */
  owed: number;
}

/** A refund, with the data for the person who pays it. */
export interface ListedRefund {
  refund: Refund;
  order: StoredOrder | null;
  /** True if the supplier contradicted itself about the order's units, so that perhaps nothing is owed. */
  isContradicted: boolean;
}

/** Adds data of their orders to refunds. It needs two queries for any number of refunds. */
export async function attachOrders(
  store: Pick<Store, 'findOrders' | 'findProblemOrders'>,
  refunds: readonly Refund[],
): Promise<ListedRefund[]> {
  const [orders, contradicted] = await Promise.all([
    store.findOrders([...new Set(refunds.map(({ orderId }) => orderId))]),
    store.findProblemOrders({ kind: 'contradicted' }, Number.MAX_SAFE_INTEGER),
  ]);
  const byId = new Map(orders.map((order) => [order.orderId, order]));
  const unclear = new Set(contradicted);
  return refunds.map((refund) => ({
    refund,
    order: byId.get(refund.orderId) ?? null,
    isContradicted: unclear.has(refund.orderId),
  }));
}

export interface RefundRecords {
  units: readonly StoredUnit[];
  refunds: readonly Refund[];
  /** Payments to reconcile that belong to the order or have the reference of its payments. */
  reconciliations: readonly Reconciliation[];
}

export const sum = (all: readonly { amount: number }[]): number =>
  all.reduce((total, { amount }) => total + amount, 0);

/** Returns the amount that the customer paid for an order: its total, unless an operator settled it with another amount. */
export const amountReceived = (
  { orderId, pricing }: Pick<StoredOrder, 'orderId' | 'pricing'>,
  reconciliations: readonly Reconciliation[],
): number =>
  reconciliations.find(
    (reconciliation) =>
      reconciliation.orderId === orderId &&
      reconciliation.state === 'settled' &&
      reconciliation.reason !== 'refunded',
  )?.amount ?? pricing.total_price;

/** Returns the amount that was or must be paid back to an order's customer. */
export const amountRefunded = (refunds: readonly Refund[]): number =>
  sum(refunds.filter(({ state }) => state !== 'cancelled'));

export const amountToPay = (refunds: readonly Refund[]): number =>
  sum(refunds.filter(({ state }) => state === 'to-pay'));

const numbersOf = (units: readonly StoredUnit[], isDelivered: boolean): number[] =>
  units.filter(({ state }) => (state === 'delivered') === isDelivered).map(({ unit }) => unit);

/** Adds up the amounts that were paid for an order, were paid back, and are owed. */
export function refundBalance(
  order: StoredOrder,
  { units, refunds, reconciliations }: RefundRecords,
): RefundBalance {
  const received = amountReceived(order, reconciliations);
  // Refunds by earlier versions have no record, and were for the whole payment.
  const isOfEarlierVersion = order.paymentStatus === 'REFUND' && refunds.length === 0;
  const refunded = isOfEarlierVersion ? received : amountRefunded(refunds) + paidBackBeside(reconciliations);
  const delivered = numbersOf(units, true);
  const inAll = owedInAll(received, order.pricing.total_price, delivered.length, units.length);
  return {
    received,
    refunded,
    reported: reconciliations.filter(
      (reconciliation) =>
        reconciliation.orderId === order.orderId &&
        reconciliation.state === 'open' &&
        reconciliation.reason === 'refunded',
    ),
    delivered,
    undelivered: numbersOf(units, false),
    owed: Math.max(0, inAll - refunded),
  };
}

/** The amount that an operator refunds; by default the amount owed. */
export type RefundAmount = number | 'all' | undefined;

/**
 * Returns the amount that the customer gets back by a refund, including earlier repayments by the gateway.
 *
 * @throws AmountError if it can't be refunded.
 */
function amountOf({ received, refunded, reported, owed }: RefundBalance, asked: RefundAmount): number {
  const left = Math.max(0, received - refunded);
  const byGateway = sum(reported);
  if (asked === undefined) return Math.max(owed, byGateway);
  if (asked === 'all') return Math.max(left, byGateway);
  if (!Number.isSafeInteger(asked) || asked <= 0) throw new AmountError('invalid', asked, left);
  if (asked > Math.max(left, byGateway)) throw new AmountError('over-paid', asked, left);
  if (asked < byGateway) throw new AmountError('under-gateway', asked, byGateway);
  return asked;
}

/** Creates the id of an order's next refund. Only one change can create it, because each change is planned for a version of the order. */
const refundId = (orderId: string, number: number): string => `${orderId}-R${number}`;

type Decision = Pick<Refund, 'at' | 'operator' | 'note'>;

/** Creates a refund that an operator must pay by hand. */
const toPay = (
  orderId: string,
  number: number,
  refund: Pick<Refund, 'amount' | 'units'> & Decision,
): Refund => ({
  refundId: refundId(orderId, number),
  orderId,
  ...refund,
  state: 'to-pay',
  reference: null,
  closedAt: null,
  closedBy: null,
});

/** Creates a refund by the gateway, with the reference of the payment. */
export const paidByGateway = (
  orderId: string,
  number: number,
  refund: Pick<Refund, 'amount' | 'units'> & Decision & { reference: string; paidAt: number },
): Refund => {
  const { paidAt, reference, ...rest } = refund;
  return {
    ...toPay(orderId, number, rest),
    state: 'paid',
    reference,
    closedAt: paidAt,
  };
};

/** Creates the refund of the amount by which a payment exceeds its order's total. */
export const refundOfExcess = (orderId: string, amount: number, decision: Decision): Refund =>
  toPay(orderId, 1, { amount, units: [], ...decision });

/** Plans the refunds for an amount: the gateway's repayments, and the rest to pay by hand. */
export function planRefunds(
  orderId: string,
  balance: RefundBalance,
  { asked, refunds, ...decision }: Decision & { asked: RefundAmount; refunds: readonly Refund[] },
): { amount: number; refunds: Refund[]; settles: string[] } {
  const amount = amountOf(balance, asked);
  const { reported, delivered, undelivered } = balance;
  const before = new Set(refunds.flatMap((refund) => (refund.state === 'cancelled' ? [] : refund.units)));
  const fresh = undelivered.filter((unit) => !before.has(unit));
  const units = fresh.length > 0 ? fresh : undelivered.length > 0 ? undelivered : delivered;
  const first = refunds.length + 1;
  const paid = reported.map((refund, index) =>
    paidByGateway(orderId, first + index, {
      amount: refund.amount,
      units,
      ...decision,
      reference: refund.reference,
      paidAt: refund.paidAt,
    }),
  );
  const left = amount - sum(paid);
  return {
    amount,
    refunds:
      left > 0 ? [...paid, toPay(orderId, first + paid.length, { amount: left, units, ...decision })] : paid,
    settles: reported.map(({ reconciliationId }) => reconciliationId),
  };
}

/** Reads payments to reconcile that belong to an order or have the reference of its payments. */
export async function readReconciliations(
  store: Pick<Store, 'listReconciliations'>,
  order: Pick<StoredOrder, 'orderId' | 'payment'>,
): Promise<Reconciliation[]> {
  const own = await store.listReconciliations({ orderId: order.orderId });
  const references = new Set([order.payment.reference, ...own.map(({ reference }) => reference)]);
  const all = await Promise.all([...references].map((reference) => store.listReconciliations({ reference })));
  return reconciliationsOf(order, all.flat());
}

export async function readRefundRecords(store: Store, order: StoredOrder): Promise<RefundRecords> {
  const [units, refunds, reconciliations] = await Promise.all([
    store.findUnits(order.orderId),
    store.findRefunds(order.orderId),
    readReconciliations(store, order),
  ]);
  return { units, refunds, reconciliations };
}
