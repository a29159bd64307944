import type { HistoryEntry, OrderFilter, Reconciliation, Store, StoredOrder } from '../../store/index.ts';

/** A payment in a gateway's statement. */
export interface StatementPayment {
  /** The gateway's reference. */
  reference: string;
  /** Id of the order in the statement; null if the statement has none. */
  orderId: string | null;
  /** Integer in the smallest unit. */
  amount: number;
  /** Time of payment, in unix milliseconds; null if the statement lacks it. */
  at: number | null;
}

/**
 * `missing-here`: only the statement has the payment. `missing-there`: only the store has it. `other-amount`: both have it, with
 * different amounts.
 */
export type DifferenceKind = 'missing-here' | 'missing-there' | 'other-amount';

export interface SettlementDifference {
  kind: DifferenceKind;
  reference: string;
  orderId: string | null;
  /** The state of the order, or of the payment to reconcile, in a few words; null if there is neither. */
  state: string | null;
  /** Amounts as integers in the smallest unit; null if the payment is missing. */
  there: number | null;
  here: number | null;
  at: number | null;
}

export interface SettlementResult {
  /** Numbers of payments: in the statement, and among them those that match the store's payments. */
  payments: number;
  matched: number;
  differences: SettlementDifference[];
  /** The period for which the statement must be complete; null if neither the statement nor the caller gives one. */
  span: { from: number; before: number } | null;
}

type SettlementStore = Pick<
  Store,
  'findOrder' | 'findOrderByReference' | 'findHistory' | 'listOrders' | 'listReconciliations'
>;

interface KnownPayment {
  reference: string;
  orderId: string | null;
  state: string;
  amount: number;
  at: number;
}

const isPaid = ({ paymentStatus }: StoredOrder): boolean =>
  paymentStatus === 'PAID' || paymentStatus === 'REFUND';

const stateOf = ({ paymentStatus, buyStatus }: StoredOrder): string => `${paymentStatus} / ${buyStatus}`;

/** Returns the payment for an order; null if an operator settled the order with a payment to reconcile, which is compared separately. */
function ownPayment(order: StoredOrder, history: readonly HistoryEntry[]): KnownPayment | null {
  const paid = history.find(({ event }) => event === 'paid' || event === 'settled');
  if (paid?.event === 'settled') return null;
  return {
    reference: order.payment.reference,
    orderId: order.orderId,
    state: stateOf(order),
    amount: order.pricing.total_price,
    at: paid?.paidAt ?? paid?.at ?? order.createdAt,
  };
}

const reconciled = ({ reference, orderId, amount, paidAt, reason, state }: Reconciliation): KnownPayment => ({
  reference,
  orderId,
  amount,
  at: paidAt,
  state: `to reconcile (${reason}), ${state}`,
});

/** Tells whether a payment to reconcile is incoming money. A refund is not. */
const isMoneyIn = ({ reason }: Reconciliation): boolean => reason !== 'refunded';

async function paymentsOf(store: SettlementStore, reference: string, order: StoredOrder | null) {
  const payments = (await store.listReconciliations({ reference })).filter(isMoneyIn).map(reconciled);
  const own = order && isPaid(order) ? ownPayment(order, await store.findHistory(order.orderId)) : null;
  return own ? [own, ...payments] : payments;
}

/** Maximum age of an order at its payment, in milliseconds: longer than any time to pay. */
const longestWaitMs = 8 * 24 * 60 * 60_000;

const pageSize = 500;

async function* paidOrders(store: SettlementStore, { from, before }: { from: number; before: number }) {
  for (const paymentStatus of ['PAID', 'REFUND'] as const) {
    let after: OrderFilter['after'];
    for (;;) {
      const filter = { paymentStatus, from: from - longestWaitMs, before, after, limit: pageSize };
      const page = await store.listOrders(filter);
      yield* page;
      const last = page.at(-1);
      if (!last || page.length < pageSize) break;
      after = { createdAt: last.createdAt, orderId: last.orderId };
    }
  }
}

/**
 * Compares a gateway's statement with a store's payments and payments to reconcile. Two payments with the same reference count as two.
 *
 * @param gateway the gateway's name in orders
 * @param span the period for which the statement must be complete; by default from its first payment to its last
 */
export async function compareStatement(
  { store, gateway }: { store: SettlementStore; gateway: string },
  statement: AsyncIterable<StatementPayment>,
  given: { from?: number | undefined; before?: number | undefined } = {},
): Promise<SettlementResult> {
  const differences: SettlementDifference[] = [];
  /** Amounts of the payments found for each reference. */
  const found = new Map<string, number[]>();
  let [payments, matched] = [0, 0];
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];

  for await (const { reference, orderId: named, amount, at } of statement) {
    payments += 1;
    first = Math.min(first, at ?? first);
    last = Math.max(last, at ?? last);
    const taken = found.get(reference) ?? [];
    const order = await store.findOrderByReference(reference);
    const known = await paymentsOf(store, reference, order);
    for (const used of taken) {
      const index = known.findIndex((payment) => payment.amount === used);
      if (index >= 0) known.splice(index, 1);
    }
    found.set(reference, [...taken, amount]);
    if (known.some((payment) => payment.amount === amount)) {
      matched += 1;
      continue;
    }
    const [other] = known;
    const about = order ?? (named === null ? null : await store.findOrder(named));
    differences.push({
      kind: other ? 'other-amount' : 'missing-here',
      reference,
      orderId: other?.orderId ?? about?.orderId ?? named,
      state: other?.state ?? (about && stateOf(about)),
      there: amount,
      here: other?.amount ?? null,
      at,
    });
    // The payment was compared, so it is not missing from the statement.
    if (other) found.set(reference, [...taken, other.amount]);
  }

  const [from, before] = [given.from ?? first, given.before ?? last + 1];
  const span = Number.isFinite(from) && Number.isFinite(before) ? { from, before } : null;
  const isMissing = ({ reference, amount, at }: KnownPayment): boolean => {
    if (at < from || at >= before) return false;
    const compared = found.get(reference) ?? [];
    const index = compared.indexOf(amount);
    if (index >= 0) found.set(reference, compared.toSpliced(index, 1));
    return index < 0;
  };
  const noteMissing = (payment: KnownPayment): void => {
    const { reference, orderId, state, amount, at } = payment;
    if (isMissing(payment))
      differences.push({ kind: 'missing-there', reference, orderId, state, there: null, here: amount, at });
  };
  if (span) {
    for await (const order of paidOrders(store, span)) {
      if (order.gateway !== gateway) continue;
      const own = ownPayment(order, await store.findHistory(order.orderId));
      if (own) noteMissing(own);
    }
    for (const reconciliation of (await store.listReconciliations()).filter(isMoneyIn)) {
      const order = reconciliation.orderId ? await store.findOrder(reconciliation.orderId) : null;
      if (!order || order.gateway === gateway) noteMissing(reconciled(reconciliation));
    }
  }
  return { payments, matched, differences, span };
}
