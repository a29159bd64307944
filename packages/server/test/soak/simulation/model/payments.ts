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
const paid = (model: Model, order: ModelOrder, paidAt: number | null): Model =>
  withOrder(model, { ...order, payment: 'PAID', paidAt, holds: order.holds || hasRoom(model, order) });

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
    (one) =>
      one.orderId === order.id &&
      one.amount === amount &&
      one.at === at &&
      (one.reason === 'refunded') === (reason === 'refunded'),
  );
  if (isKnown) return model;
  const added = { orderId: order.id, amount, at, reason, state: 'open' } as const;
  return { ...model, reconciliations: [...model.reconciliations, added] };
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
      if (isUnpaid) return withOrder(model, closed(order, 'FAILED'));
      if (order.payment !== 'PAID') return model;
      return isFailedDelivery
        ? withOrder(model, { ...order, payment: 'REFUND' })
        : toReconcile(model, order, report, 'refunded');
    case 'paid':
      if (report.amount !== order.total) return toReconcile(model, order, report, 'amount');
      if (isUnpaid || order.payment === 'EXPIRED')
        return report.at < order.expiresAt
          ? paid(model, order, report.at)
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
  if (!['UNPAID', 'EXPIRED', 'FAILED'].includes(order.payment)) return null;
  return paid(closeReconciliation(model, index, 'settled'), order, null);
}

export const closeReconciliation = (model: Model, index: number, state: 'settled' | 'returned'): Model => ({
  ...model,
  reconciliations: model.reconciliations.map((one, at) => (at === index ? { ...one, state } : one)),
});

/** An operator, or the gateway, paid an order back. */
export const refunded = (model: Model, order: ModelOrder): Model =>
  withOrder(model, { ...order, payment: 'REFUND' });

/** What an order may be after the due work: `first` is what the gateway says of its payment, if it can be asked. */
export function worked(
  model: Model,
  order: ModelOrder,
  first: ReportedPayment | null,
  isKilled: boolean,
): Model[] {
  const current = (after: Model): ModelOrder => after.orders.find(({ id }) => id === order.id) ?? order;
  function asked(before: Model): Model[] {
    const one = current(before);
    if (!first || (one.payment !== 'UNPAID' && one.payment !== 'EXPIRED')) return [before];
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
