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

/** Marks an order as paid. A released use of a promo is claimed again if the quota allows it. */
const paid = (
  model: Model,
  order: ModelOrder,
  { paidAt, received }: Pick<ModelOrder, 'paidAt' | 'received'>,
): Model => {
  const holds = order.holds || hasRoom(model, order);
  // The amount above the total is refunded.
  const over = received - order.total;
  const refunds = over > 0 ? ([{ amount: over, state: 'to-pay' }] as const) : [];
  return withOrder(model, { ...order, payment: 'PAID', paidAt, received, refunds, holds });
};

/** Expires an overdue order, which happens on read. */
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

/** Returns the payments of an order that are still to be reconciled for certain reasons. */
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

/** Removes a waiting payment that was refunded completely. If there are two, it is unknown which one it was. */
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

/** Applies the total amount that the gateway has refunded so far (open points: refunds). */
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
  // The order was paid twice.
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

/** Applies the gateway's report about a payment (open points: states). `isFailedDelivery`: the order is Gagal. */
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

/** Lets an operator accept a payment that did not fit; null if the order's state does not allow this. */
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

/** Returns the gateway's refunds that an operator closed by hand, which are not owed again, except those of another returned payment. */
function besideOf(model: Model, order: ModelOrder): number {
  const returned = ofOrder(model, order, ({ state }) => state === 'returned');
  const isBack = ({ reason }: ModelReconciliation): boolean => reason === 'refunded';
  return Math.max(0, sum(returned.filter(isBack)) - sum(returned.filter((one) => !isBack(one))));
}

/**
 * Lets an operator refund the share of the undelivered items, which includes the amount that the gateway refunded (open points: refunds);
 * null if nothing is owed. For a delivered order, the refund is only the gateway's amount, and the order stays unchanged.
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

/** Tells whether due work asks the gateway about an order. */
export const isAskedAbout = ({ payment }: ModelOrder): boolean =>
  payment === 'UNPAID' || payment === 'EXPIRED';

/**
 * Returns the possible states of an order after the due work. `first` is the gateway's report about its payment, if the gateway can be
 * asked. `isAsked`: the request may have been sent before a simultaneous step, and its response may have arrived after that step.
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
  // Other orders change in the same run, so it can't be observed whether the quota allowed the use.
  return all.map((after) => {
    const one = current(after);
    const isReclaimed = one.payment === 'PAID' && one.promo !== null && order.holds !== true;
    return isReclaimed ? withOrder(after, { ...one, holds: null }) : after;
  });
}
