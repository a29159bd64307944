import type { Localised } from '@topup-kit/core/contract';
import { closeRefund, previewSettlement, returnPayment, settleReconciliation } from '@topup-kit/core/engine';
import type { Reconciliation, Refund } from '@topup-kit/core/store';
import { html } from 'hono/html';
import { type ActionInput, type ConsoleAction, InputError } from '../actions.ts';
import { operatorOf, stateChange } from '../orders/order-actions.ts';
import { facts } from '../parts.ts';
import type { ConsoleDependencies } from '../view.ts';

const texts = {
  id: {
    settles: 'Dihitung sebagai pembayaran pesanan, yang lalu dikirim.',
    returns: 'Dicatat sebagai dikembalikan kepada pelanggan.',
    closesRefund: 'Pengembalian oleh gateway ini ditutup; pesanannya tetap seperti sekarang.',
    pays: 'Dicatat sebagai sudah dibayar.',
    cancels: 'Dibatalkan, jadi tidak ada yang membayarnya. Pesanannya tetap seperti sekarang.',
    short: 'Kurang, dan Anda yang menanggungnya',
    over: 'Lebih; menjadi pengembalian dana yang harus dibayar sendiri',
    order: 'Pesanan',
    amount: 'Jumlah',
    reference: 'Referensi',
  },
  en: {
    settles: 'Counted as the payment of the order, which is then delivered.',
    returns: 'Recorded as returned to the customer.',
    closesRefund: 'This refund by the gateway is closed; the order stays as it is.',
    pays: 'Recorded as paid.',
    cancels: 'Cancelled, so that nobody pays it. The order stays as it is.',
    short: 'Short, which you bear',
    over: 'Over; it becomes a refund to be paid by hand',
    order: 'Order',
    amount: 'Amount',
    reference: 'Reference',
  },
};

/** Why an action can't be done. */
const problems = {
  closed: {
    id: 'Ini sudah ditutup, mungkin karena formulir yang sama terkirim dua kali. Kali ini tidak ada yang dilakukan.',
    en: 'This was closed already, perhaps because the same form was sent twice. Nothing was done this time.',
  },
  isRefund: {
    id: 'Gateway mengembalikan uang ini, jadi tidak bisa membayar pesanan.',
    en: 'The gateway paid this money back, so it can’t pay for an order.',
  },
  noOrder: { id: 'Tulis id pesanan yang dibayar uang ini.', en: 'Say which order this money is for.' },
} satisfies Record<string, Localised>;

const missingOrder = (orderId: string): Localised => ({
  id: `Tidak ada pesanan ${orderId}. Tulis id lengkapnya, seperti di judul halamannya.`,
  en: `There is no order ${orderId}. Write its whole id, as its page has it.`,
});

const idOf = ({ params }: Pick<ActionInput, 'params'>): string => params.id ?? '';

/** What can be done with money that fits no order, and with refunds. Each is closed once, so that a form sent twice does nothing twice. */
export function createPaymentActions(deps: ConsoleDependencies) {
  const { store } = deps;

  const findPayment = async (input: Pick<ActionInput, 'params'>): Promise<Reconciliation | undefined> =>
    (await store.listReconciliations({ reconciliationId: idOf(input), state: 'open' }))[0];

  /** @throws InputError when it is not open any more. */
  async function openPayment(input: ActionInput): Promise<Reconciliation> {
    const payment = await findPayment(input);
    if (payment) return payment;
    throw new InputError(problems.closed);
  }

  async function readSettlement(input: ActionInput) {
    const { reconciliationId, orderId, reason } = await openPayment(input);
    if (reason === 'refunded') throw new InputError(problems.isRefund);
    const order = orderId ?? input.fields.order?.toUpperCase() ?? '';
    if (order === '') throw new InputError(problems.noOrder);
    if (!(await store.findOrder(order))) throw new InputError(missingOrder(order));
    return {
      reconciliationId,
      orderId: order,
      otherAmount: input.fields.otherAmount === 'yes',
      note: input.note,
    };
  }

  const settle: ConsoleAction = {
    path: '/payments/:id/settle',
    section: 'orders',
    title: { id: 'Jadikan pembayaran pesanan', en: 'Count as payment' },
    async fields(input) {
      // What was typed must survive a store that can't be read.
      const payment = await findPayment(input).catch(() => undefined);
      return [
        ...(payment && payment.orderId !== null
          ? []
          : [
              {
                name: 'order',
                label: { id: 'Id pesanan', en: 'Id of the order' },
                hint: {
                  id: 'Hanya untuk uang yang pesanannya tidak diketahui.',
                  en: 'Only for money whose order is not known.',
                },
              },
            ]),
        {
          name: 'otherAmount',
          label: { id: 'Jika bukan total pesanan', en: 'If it is not the order’s total' },
          choices: [
            { value: 'no', label: { id: 'jangan terima', en: 'don’t accept it' } },
            { value: 'yes', label: { id: 'terima juga', en: 'accept it all the same' } },
          ],
        },
      ];
    },
    async preview(input, view) {
      const words = view.text(texts);
      const settlement = await readSettlement(input);
      const before = await store.findOrder(settlement.orderId);
      const { order, difference } = await previewSettlement(operatorOf(deps, view), settlement);
      return html`<p>${words.settles}</p>${stateChange(before ?? order, order)}${facts([
        [words.order, order.orderId],
        [words.amount, view.money(order.pricing.total_price + difference)],
        [words.short, difference < 0 ? view.money(-difference) : null],
        [words.over, difference > 0 ? view.money(difference) : null],
      ])}`;
    },
    async perform(input, view) {
      await settleReconciliation(operatorOf(deps, view), await readSettlement(input));
      return '';
    },
  };

  const giveBack: ConsoleAction = {
    path: '/payments/:id/return',
    section: 'orders',
    title: { id: 'Tandai dikembalikan', en: 'Mark as returned' },
    noteLabel: {
      id: 'Bagaimana dikembalikan, atau apa yang Anda lakukan',
      en: 'How it was returned, or what you did',
    },
    async preview(input, view) {
      const words = view.text(texts);
      const { amount, reference, reason, orderId } = await openPayment(input);
      return html`<p>${reason === 'refunded' ? words.closesRefund : words.returns}</p>${facts([
        [words.amount, view.money(amount)],
        [words.reference, reference],
        [words.order, orderId],
      ])}`;
    },
    async perform(input, view) {
      const result = await returnPayment(operatorOf(deps, view), idOf(input), input.note);
      if ('conflict' in result) throw new InputError(problems.closed);
      return '';
    },
  };

  /** @throws InputError when it is not to be paid any more. */
  async function refundToPay(input: ActionInput): Promise<Refund> {
    const orderId = idOf(input).replace(/-R\d+$/, '');
    const refund = (await store.findRefunds(orderId)).find(({ refundId }) => refundId === idOf(input));
    if (refund?.state === 'to-pay') return refund;
    throw new InputError(problems.closed);
  }

  const closing = (state: 'paid' | 'cancelled'): Pick<ConsoleAction, 'section' | 'preview' | 'perform'> => ({
    section: 'orders',
    async preview(input, view) {
      const words = view.text(texts);
      const { amount, orderId } = await refundToPay(input);
      return html`<p>${state === 'paid' ? words.pays : words.cancels}</p>${facts([
        [words.amount, view.money(amount)],
        [words.order, orderId],
      ])}`;
    },
    async perform(input, view) {
      const { refundId } = await refundToPay(input);
      const result = await closeRefund(operatorOf(deps, view), { refundId, state, reference: input.note });
      if ('conflict' in result) throw new InputError(problems.closed);
      return '';
    },
  });

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

export type PaymentActions = ReturnType<typeof createPaymentActions>;
