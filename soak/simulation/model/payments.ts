import { type Model, type ModelOrder, type ModelReconciliation, usersOf, withOrder } from './model.ts';

const hasRoom = (model: Model, { promo }: ModelOrder): boolean => {
  const quota = model.catalog.promos.find(({ code }) => code === promo)?.quota ?? null;
  return promo !== null && (quota === null || usersOf(model, promo).length < quota);
};

const closed = (order: ModelOrder, payment: 'EXPIRED' | 'FAILED'): ModelOrder => ({
  ...order,
  payment,
  holds: false,
});

/** A use that was released is claimed again if there is room for it. */
const paid = (
  model: Model,
  order: ModelOrder,
  { paidAt, received }: Pick<ModelOrder, 'paidAt' | 'received'>,
): Model => {
  const holds = order.holds || hasRoom(model, order);
  // What is paid over the total goes back.
  const over = received - order.total;
  const refunds = over > 0 ? ([{ amount: over, state: 'to-pay' }] as const) : [];
  return withOrder(model, { ...order, payment: 'PAID', paidAt, received, refunds, holds });
};

/** Overdue orders are expired on read. */
export const expired = (model: Model, order: ModelOrder): Model =>
  !order.isReserved && order.payment === 'UNPAID' && model.now >= order.expiresAt
    ? withOrder(model, closed(order, 'EXPIRED'))
    : model;

export interface ReportedPayment {
  status: 'paid' | 'failed' | 'expired' | 'refunded';
  amount: number;
  at: number;
}

function toReconcile(
  model: Model,
  order: ModelOrder,
  report: ReportedPayment,
  reason: ModelReconciliation['reason'],
): Model {
  const { amount, at } = report;
  const isKnown = model.reconciliations.some(
    (one) => one.orderId === order.id && one.amount === amount && one.at === at && one.reason !== 'refunded',
  );
  if (isKnown && reason !== 'refunded') return model;
  const added = { orderId: order.id, amount, at, reason, state: 'open' } as const;
  return { ...model, reconciliations: [...model.reconciliations, added] };
}

const sum = (all: readonly { amount: number }[]): number =>
  all.reduce((total, { amount }) => total + amount, 0);

/** What is left of an order's payments to reconcile of some reasons. */
const ofOrder = (
  { reconciliations }: Model,
  { id }: ModelOrder,
  isWanted: (one: ModelReconciliation) => boolean,
): ModelReconciliation[] => reconciliations.filter((one) => one.orderId === id && isWanted(one));

/** Marks an order's open reports of refunds as a part of its refund. */
const withoutReports = (model: Model, { id }: ModelOrder): Model => ({
  ...model,
  reconciliations: model.reconciliations.map((one) =>
    one.orderId === id && one.reason === 'refunded' && one.state === 'open'
      ? { ...one, state: 'settled' as const }
      : one,
  ),
});

/** All of a payment that waits for an operator was paid back; of two, nobody knows which. */
function withoutWaiting(model: Model, order: ModelOrder, { amount, at }: ReportedPayment): Model {
  const [payment, ...others] = ofOrder(model, order, ({ reason }) => reason !== 'refunded');
  if (payment?.state !== 'open' || others.length > 0 || payment.amount > amount || payment.at > at)
    return model;
  return {
    ...model,
    reconciliations: model.reconciliations.map((one) =>
      one.orderId === order.id && one.state === 'open' ? { ...one, state: 'returned' as const } : one,
    ),
  };
}

/** The gateway says how much it has paid back by now (open points: refunds). */
function paidBack(
  model: Model,
  order: ModelOrder,
  report: ReportedPayment,
  isFailedDelivery: boolean,
): Model {
  const recorded = sum(order.refunds.filter(({ state }) => state === 'paid'));
  const noticed = sum(
    ofOrder(model, order, ({ reason, state }) => reason === 'refunded' && state !== 'settled'),
  );
  const wait = (fresh: number): Model =>
    fresh > 0 ? toReconcile(model, order, { ...report, amount: fresh }, 'refunded') : model;
  const payments = ofOrder(model, order, ({ reason }) => reason !== 'refunded');
  if (order.payment !== 'PAID' && order.payment !== 'REFUND') {
    const left = order.total - report.amount;
    if (left <= 0) {
      const after = withoutWaiting(model, order, report);
      return order.payment === 'UNPAID' ? withOrder(after, closed(order, 'FAILED')) : after;
    }
    if (payments.length === 0) return toReconcile(model, order, { ...report, amount: left }, 'amount');
    const rest = payments.find(({ reason, amount }) => reason === 'amount' && amount < order.total);
    return wait(report.amount - noticed - recorded - (rest ? order.total - rest.amount : 0));
  }
  const fresh = report.amount - noticed - recorded;
  // It was paid twice.
  if (payments.some(({ state }) => state !== 'settled')) return wait(fresh);
  const index = order.refunds.findIndex(({ state, amount }) => state === 'to-pay' && amount === fresh);
  if (index >= 0) {
    const refunds = order.refunds.map((one, at) => (at === index ? { ...one, state: 'paid' as const } : one));
    return withOrder(model, { ...order, refunds });
  }
  if (order.payment !== 'PAID' || !isFailedDelivery || report.amount < order.received) return wait(fresh);
  const amount = report.amount - recorded;
  const refunds = [...order.refunds, ...(amount > 0 ? [{ amount, state: 'paid' as const }] : [])];
  return withOrder(withoutReports(model, order), { ...order, payment: 'REFUND', refunds });
}

/** What a gateway says of a payment (open points: states). `isFailedDelivery`: the order is Gagal. */
export function reported(
  model: Model,
  order: ModelOrder,
  report: ReportedPayment,
  isFailedDelivery: boolean,
): Model {
  const isUnpaid = order.payment === 'UNPAID';
  switch (report.status) {
    case 'failed':
      return isUnpaid ? withOrder(model, closed(order, 'FAILED')) : model;
    case 'expired':
      return isUnpaid ? withOrder(model, closed(order, 'EXPIRED')) : model;
    case 'refunded':
      return paidBack(model, order, report, isFailedDelivery);
    case 'paid':
      if (report.amount !== order.total) return toReconcile(model, order, report, 'amount');
      if (isUnpaid || order.payment === 'EXPIRED')
        return report.at < order.expiresAt
          ? paid(model, order, { paidAt: report.at, received: order.total })
          : toReconcile(model, order, report, 'late');
      return order.payment !== 'FAILED' && order.paidAt === report.at
        ? model
        : toReconcile(model, order, report, 'closed');
  }
}

/** An operator accepts a payment that did not fit; null when the order's state does not allow it. */
export function settled(model: Model, index: number): Model | null {
  const found = model.reconciliations[index];
  const order = model.orders.find(({ id }) => id === found?.orderId);
  if (!found || !order || found.state !== 'open') return null;
  if (found.reason === 'refunded' || !['UNPAID', 'EXPIRED', 'FAILED'].includes(order.payment)) return null;
  return paid(closeReconciliation(model, index, 'settled'), order, { paidAt: null, received: found.amount });
}

export const closeReconciliation = (model: Model, index: number, state: 'settled' | 'returned'): Model => ({
  ...model,
  reconciliations: model.reconciliations.map((one, at) => (at === index ? { ...one, state } : one)),
});

/** What the gateway paid back and an operator closed by hand is gone, so that it is not owed again; unless it was of another payment that went back. */
function besideOf(model: Model, order: ModelOrder): number {
  const returned = ofOrder(model, order, ({ state }) => state === 'returned');
  const isBack = ({ reason }: ModelReconciliation): boolean => reason === 'refunded';
  return Math.max(0, sum(returned.filter(isBack)) - sum(returned.filter((one) => !isBack(one))));
}

/**
 * An operator refunds the share of what was not delivered, of which what the gateway paid back is a part (open points:
 * refunds); null when nothing is owed. Of an order that was delivered it is only that part, and the order stays as it is.
 */
export function refunded(model: Model, order: ModelOrder, delivered: number): Model | null {
  const kept = Math.floor((Math.min(order.received, order.total) * delivered) / order.quantity);
  const owed = order.received - kept - sum(order.refunds) - besideOf(model, order);
  const reports = ofOrder(model, order, ({ reason, state }) => reason === 'refunded' && state === 'open');
  const left = owed - sum(reports);
  const added = [
    ...reports.map(({ amount }) => ({ amount, state: 'paid' as const })),
    ...(left > 0 ? [{ amount: left, state: 'to-pay' as const }] : []),
  ];
  const isDelivered = order.payment === 'PAID' && delivered === order.quantity;
  if (added.length === 0 && (isDelivered || order.payment === 'REFUND')) return null;
  const refunds = [...order.refunds, ...added];
  const payment = isDelivered ? 'PAID' : 'REFUND';
  return withOrder(withoutReports(model, order), { ...order, payment, refunds });
}

/** Due work asks the gateway about these. */
export const isAskedAbout = ({ payment }: ModelOrder): boolean =>
  payment === 'UNPAID' || payment === 'EXPIRED';

/**
 * What an order may be after the due work: `first` is what the gateway says of its payment, if it can be asked. `isAsked`: the question may have
 * been asked before what else happened at once, and the answer came after it.
 */
export function worked(
  model: Model,
  order: ModelOrder,
  first: ReportedPayment | null,
  { isKilled, isAsked }: { isKilled: boolean; isAsked: boolean },
): Model[] {
  const current = (after: Model): ModelOrder => after.orders.find(({ id }) => id === order.id) ?? order;
  function asked(before: Model): Model[] {
    const one = current(before);
    if (!first || !(isAsked || isAskedAbout(one))) return [before];
    return [before, reported(before, one, first, false)];
  }
  const expire = (before: Model): Model => expired(before, current(before));
  const ends = [...asked(expire(model)), ...asked(model).map(expire)];
  const all = isKilled ? [...asked(model), ...ends] : ends;
  // Other orders change in the same run, so that it can't be seen whether there was room for the use.
  return all.map((after) => {
    const one = current(after);
    const isReclaimed = one.payment === 'PAID' && one.promo !== null && order.holds !== true;
    return isReclaimed ? withOrder(after, { ...one, holds: null }) : after;
  });
}
