import { orderCards } from '../additions.ts';
import { createPaymentActions } from '../payments/payment-actions.ts';
import { createPaymentsPage } from '../payments/payments-page.ts';
import type { CreateSection } from '../section.ts';
import { createListPage } from './list-page.ts';
import { createOrderActions } from './order-actions.ts';
import { createOrderPage } from './order-page.ts';
import { createAbandonAction } from './unclear-order.ts';

/** Creates the list of orders, the page of each order, and the page of payments that wait for an operator. */
export const orderPages: CreateSection = (deps) => {
  const payments = createPaymentActions(deps);
  const orders = createOrderActions(deps, payments.paidMany);
  const abandon = createAbandonAction(deps);
  const cards = Object.entries(orderCards).flatMap(([name, create]) => {
    const card = create(deps);
    return card ? [{ name, ...card }] : [];
  });
  return {
    pages: [
      createListPage(deps, orders),
      createOrderPage(deps, { orders: orders.one, abandon, payments, cards }),
      createPaymentsPage(deps, payments),
    ],
    actions: [
      ...Object.values(orders.one),
      ...Object.values(orders.many),
      abandon,
      ...Object.values(payments),
      ...cards.map(({ action }) => action),
    ],
  };
};
