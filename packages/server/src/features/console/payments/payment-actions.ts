import type { Localised } from '@topup-kit/core/contract';
import {
  closeRefund,
  closingWords,
  dryRun,
  findPayment,
  returnPayment,
  returnWords,
  settlementWords,
  settleReconciliation,
} from '@topup-kit/core/engine';
import { html } from 'hono/html';
import { type ActionInput, type ConsoleAction, type Field, InputError } from '../actions.ts';
import { operatorOf, stateChange } from '../orders/order-actions.ts';
import type { ConsoleDependencies } from '../view.ts';
import { type PaymentActions, paymentFacts, refundFacts } from './items.ts';

const missingOrder = (orderId: string): Localised => ({
  id: `Tidak ada pesanan ${orderId}. Tulis id lengkapnya, seperti di judul halamannya.`,
  en: `There is no order ${orderId}. Write its whole id, as its page has it.`,
});

const idOf = ({ params }: Pick<ActionInput, 'params'>): string => params.id ?? '';

/** The fields of a settlement; only a payment of no known order leaves the order open. */
const settlementFields = (isOfNoOrder: boolean): Field[] => [
  ...(isOfNoOrder
    ? [
        {
          name: 'order',
          label: { id: 'Id pesanan', en: 'Id of the order' },
          hint: {
            id: 'Hanya untuk uang yang pesanannya tidak diketahui.',
            en: 'Only for money whose order is not known.',
          },
        },
      ]
    : []),
  {
    name: 'otherAmount',
    label: { id: 'Jika bukan total pesanan', en: 'If it is not the order’s total' },
    choices: [
      { value: 'no', label: { id: 'jangan terima', en: 'don’t accept it' } },
      { value: 'yes', label: { id: 'terima juga', en: 'accept it all the same' } },
    ],
  },
];

/** What can be done with money that fits no order, and with refunds. Each is closed once, so that a form sent twice does nothing twice. */
export function createPaymentActions(deps: ConsoleDependencies): PaymentActions {
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
      // What was typed must survive a store that can't be read.
      const payment = await findPayment(store, idOf(input)).catch(() => null);
      return settlementFields(payment === null || payment.orderId === null);
    },
    async preview(input, view) {
      const settled = await settleReconciliation(dryRun(operatorOf(deps, view)), await readSettlement(input));
      const before = await store.findOrder(settled.order.orderId);
      return html`<p>${view.text(settlementWords(settled, view.money))}</p>${stateChange(view, before ?? settled.order, settled.order)}`;
    },
    async perform(input, view) {
      await settleReconciliation(operatorOf(deps, view), await readSettlement(input));
      return '';
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
    async preview(input, view) {
      const returned = await returnPayment(dryRun(operatorOf(deps, view)), idOf(input), input.note);
      return html`<p>${view.text(returnWords(returned, view.money))}</p>${paymentFacts(view, returned)}`;
    },
    async perform(input, view) {
      await returnPayment(operatorOf(deps, view), idOf(input), input.note);
      return '';
    },
  };

  const closing = (state: 'paid' | 'cancelled'): Pick<ConsoleAction, 'section' | 'preview' | 'perform'> => {
    const read = (input: ActionInput) => ({ refundId: idOf(input), state, reference: input.note });
    return {
      section: 'payments',
      async preview(input, view) {
        const closed = await closeRefund(dryRun(operatorOf(deps, view)), read(input));
        return html`<p>${view.text(closingWords(closed, view.money))}</p>${refundFacts(view, closed)}`;
      },
      async perform(input, view) {
        await closeRefund(operatorOf(deps, view), read(input));
        return '';
      },
    };
  };

  const paid: ConsoleAction = {
    path: '/refunds/:id/paid',
    title: { id: 'Sudah dibayar', en: 'Mark as paid' },
    noteLabel: {
      id: 'Dengan apa pembayarannya ditemukan, misalnya nomor transfer',
      en: 'By what the payment is found, such as the number of a transfer',
    },
    ...closing('paid'),
  };

  const cancel: ConsoleAction = {
    path: '/refunds/:id/cancel',
    title: { id: 'Batalkan', en: 'Cancel' },
    noteLabel: { id: 'Mengapa tidak perlu dibayar', en: 'Why it is not owed' },
    ...closing('cancelled'),
  };

  return { settle, giveBack, paid, cancel };
}
