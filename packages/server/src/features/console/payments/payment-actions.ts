import type { Localised } from '@topup-kit/core/contract';
import {
  attachOrders,
  closeRefund,
  dryRun,
  findPayment,
  type ListedRefund,
  refundRefusal,
  returnPayment,
  returnWords,
  settlementWords,
  settleReconciliation,
} from '@topup-kit/core/engine';
import { html } from 'hono/html';
import { type ActionInput, type ConsoleAction, type Field, InputError } from '../actions.ts';
import { chosenAction } from '../chosen.ts';
import { operatorOf } from '../orders/order-action.ts';
import { orderNow } from '../orders/order-actions.ts';
import { brief } from '../orders/order-facts.ts';
import { orderLink } from '../parts.ts';
import type { SectionDependencies } from '../section.ts';
import type { View } from '../view.ts';
import { type PaymentActions, paymentFacts, refundFacts, refundState } from './items.ts';

const missingOrder = (orderId: string): Localised => ({
  id: `Tidak ada pesanan ${orderId}. Tulis id lengkapnya, seperti di judul halamannya.`,
  en: `There is no order ${orderId}. Enter its full id from its page.`,
});

const idOf = ({ params }: Pick<ActionInput, 'params'>): string => params.id ?? '';

/** Returns the fields for a payment without a known order, or with an amount other than its order's total. The form names missing data. */
const settlementFields = (isOfNoOrder: boolean): Field[] =>
  isOfNoOrder
    ? [
        { name: 'order', label: { id: 'Id pesanan', en: 'Order id' }, required: true },
        {
          name: 'otherAmount',
          label: { id: 'Jika bukan total pesanan', en: 'If the amount is not the order’s total' },
          choices: [
            { value: 'no', label: { id: 'jangan terima', en: 'don’t accept it' } },
            { value: 'yes', label: { id: 'terima juga', en: 'accept it anyway' } },
          ],
        },
      ]
    : [{ name: 'otherAmount', label: { id: '', en: '' }, isHidden: true, value: 'yes' }];

/** Creates the actions on payments to reconcile and on refunds. Each item is closed only once, so sending a form twice has no effect. */
export function createPaymentActions(deps: SectionDependencies): PaymentActions {
  const { store } = deps;

  async function readSettlement(input: ActionInput) {
    const orderId = input.fields.order?.toUpperCase() || undefined;
    if (orderId !== undefined && !(await store.findOrder(orderId)))
      throw new InputError(missingOrder(orderId));
    const otherAmount = input.fields.otherAmount === 'yes';
    return { reconciliationId: idOf(input), orderId, otherAmount, note: input.note };
  }

  const settle: ConsoleAction = {
    path: '/payments/:id/settle',
    section: 'payments',
    title: { id: 'Jadikan pembayaran pesanan', en: 'Count as payment' },
    async fields(input) {
      // Keeps the input even if the store can't be read.
      const payment = await findPayment(store, idOf(input)).catch(() => null);
      return settlementFields(payment === null || payment.orderId === null);
    },
    async about({ params }, view) {
      const payment = await findPayment(store, params.id ?? '');
      const amount = view.money(payment.amount);
      const verb = view.text({ id: `Terima ${amount}`, en: `Accept ${amount}` });
      if (payment.orderId === null) return { content: paymentFacts(view, payment), verb };
      const settlement = { reconciliationId: payment.reconciliationId, otherAmount: true };
      const settled = await settleReconciliation(dryRun(operatorOf(deps, view)), settlement);
      return {
        content: html`<p>${brief(settled.order)}</p><p>${view.text(settlementWords(settled, view.money))}</p>${paymentFacts(view, payment, settled.order)}`,
        verb,
      };
    },
    async perform(input, view) {
      const { order } = await settleReconciliation(operatorOf(deps, view), await readSettlement(input));
      return input.from || `/orders/${order.orderId}`;
    },
    async now({ id = '' }, view) {
      const { orderId, state } = await findPayment(store, id);
      return state === 'settled' && orderId !== null ? orderNow(deps, view, orderId) : null;
    },
  };

  const giveBack: ConsoleAction = {
    path: '/payments/:id/return',
    section: 'payments',
    title: { id: 'Tandai dikembalikan', en: 'Mark as returned' },
    noteLabel: {
      id: 'Bagaimana dikembalikan, atau apa yang Anda lakukan',
      en: 'How it was returned, or what you did',
    },
    async about(opened, view) {
      const returned = await returnPayment(dryRun(operatorOf(deps, view)), idOf(opened), '');
      const payment = await findPayment(store, idOf(opened));
      const amount = view.money(returned.amount);
      return {
        content: html`<p>${view.text(returnWords(returned, view.money))}</p>${paymentFacts(view, payment)}`,
        verb:
          returned.reason === 'refunded'
            ? view.text({ id: 'Tutup', en: 'Close' })
            : view.text({ id: `Tandai ${amount} dikembalikan`, en: `Mark ${amount} as returned` }),
      };
    },
    async perform(input, view) {
      await returnPayment(operatorOf(deps, view), idOf(input), input.note);
      return '';
    },
  };

  /** Creates an action that closes refunds. One transfer may pay several refunds of a customer. */
  const closing = (
    name: 'paid' | 'cancel',
    { verb, ...texts }: Pick<ConsoleAction, 'title' | 'noteLabel'> & { verb: (amount: string) => Localised },
  ) => {
    const state = name === 'paid' ? 'paid' : 'cancelled';
    const close = (view: View, refundId: string, reference: string) =>
      closeRefund(operatorOf(deps, view), { refundId, state, reference });
    const single: ConsoleAction = {
      path: `/refunds/:id/${name}`,
      section: 'payments',
      ...texts,
      async about(opened, view) {
        const ending = { refundId: idOf(opened), state, reference: '' } as const;
        const { orderId, refundId, amount } = await closeRefund(dryRun(operatorOf(deps, view)), ending);
        const [refunds, order] = await Promise.all([store.findRefunds(orderId), store.findOrder(orderId)]);
        return {
          content: html`<p>${order ? brief(order) : ''}</p>${refunds
            .filter((refund) => refund.refundId === refundId)
            .map((refund) => refundFacts(view, refund))}`,
          verb: view.text(verb(view.money(amount))),
        };
      },
      async perform(input, view) {
        await close(view, idOf(input), input.note);
        return '';
      },
    };
    const many = chosenAction<ListedRefund>(
      {
        path: `/refunds/${name}`,
        section: 'payments',
        ...texts,
        async read(ids) {
          const orders = [...new Set(ids.map((id) => id.replace(/-R\d+$/, '')))];
          const refunds = await Promise.all(orders.map((orderId) => store.findRefunds(orderId)));
          const chosen = refunds.flat().filter(({ refundId }) => ids.includes(refundId));
          return attachOrders(store, chosen);
        },
        idOf: ({ refund }) => refund.refundId,
        amountOf: ({ refund }) => refund.amount,
        show: (view, { refund, order }) =>
          html`${refundState(view, refund)} ${order ? brief(order) : ''} ${orderLink(view, refund.orderId, refund.orderId.slice(-8))}`,
        refusalOf: ({ refund }) => refundRefusal(refund),
        verb: ({ sum }) => verb(sum),
        perform: (view, { id }, { note }) => close(view, id, note),
      },
      deps,
    );
    return { one: single, many };
  };

  const paid = closing('paid', {
    title: { id: 'Sudah dibayar', en: 'Mark as paid' },
    noteLabel: {
      id: 'Dengan apa pembayarannya ditemukan, misalnya nomor transfer',
      en: 'Reference of the payment, such as the number of a transfer',
    },
    verb: (amount) => ({ id: `Tandai ${amount} sudah dibayar`, en: `Mark ${amount} as paid` }),
  });

  const cancel = closing('cancel', {
    title: { id: 'Batalkan', en: 'Cancel' },
    noteLabel: { id: 'Mengapa tidak perlu dibayar', en: 'Why it is not owed' },
    verb: (amount) => ({ id: `Batalkan ${amount}`, en: `Cancel the refund of ${amount}` }),
  });

  return {
    settle,
    giveBack,
    paid: paid.one,
    cancel: cancel.one,
    paidMany: paid.many,
    cancelMany: cancel.many,
  };
}
