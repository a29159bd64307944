import type { Localised } from '@topup-kit/core/contract';
import { type RefundBalance, type RefundOrder, refundBalance, refundOrder } from '@topup-kit/core/engine';
import { type ActionInput, type Choice, InputError } from '../actions.ts';
import type { ConsoleDependencies } from '../view.ts';
import { badAmount, type OrderAction, readNumber, type Subject } from './order-action.ts';

const texts = {
  byGateway: { id: 'Sudah dikembalikan gateway', en: 'Paid back by the gateway already' },
  byHand: {
    id: 'Anda mengirim uangnya sendiri. Pengembalian dana ini tetap di Pembayaran sampai Anda menandainya sudah dibayar.',
    en: 'You send the money yourself. The refund stays in Payments until you mark it as paid.',
  },
  amountUnused: {
    id: 'Jumlah sudah diisi, tetapi yang dipilih bukan "jumlah lain". Pilih itu, atau kosongkan jumlahnya.',
    en: 'There is an amount, but "another amount" is not chosen. Choose it, or clear the amount.',
  },
};

function readRefund({ fields, note }: ActionInput): RefundOrder {
  if (fields.all !== 'amount') {
    if (fields.amount) throw new InputError(texts.amountUnused);
    return { amount: fields.all === 'all' ? 'all' : undefined, note };
  }
  const amount = readNumber(fields.amount, badAmount);
  // Without an amount, the owed amount would be refunded.
  if (amount === undefined) throw new InputError(badAmount);
  return { amount, note };
}

const paidByGateway = ({ reported }: RefundBalance): number =>
  reported.reduce((sum, { amount }) => sum + amount, 0);

/** Returns the default amount of a refund: the owed amount, but at least the amount that the gateway itself refunded. */
export function owedOf({ order, ...records }: Subject): number {
  const balance = refundBalance(order, records);
  return Math.max(balance.owed, paidByGateway(balance));
}

export const refundVerb = (amount: string): Localised => ({
  id: `Kembalikan ${amount}`,
  en: `Refund ${amount}`,
});

export const refundOf = ({ settings }: ConsoleDependencies): OrderAction => ({
  name: 'refund',
  title: { id: 'Kembalikan dana', en: 'Refund' },
  does: 'refund',
  says: texts.byHand,
  fields(view, [subject]) {
    const balance = subject && refundBalance(subject.order, subject);
    const owed = subject && owedOf(subject);
    const all = balance && Math.max(balance.received - balance.refunded, paidByGateway(balance));
    const choice = (value: string, amount: number | undefined, label: Localised): Choice[] =>
      amount === 0
        ? []
        : [
            {
              value,
              label,
              verb: refundVerb(amount === undefined ? '' : view.money(amount)),
              ...(amount !== undefined && { amount }),
            },
          ];
    const other = {
      value: 'amount',
      label: { id: 'jumlah lain', en: 'another amount' },
      verb: { id: 'Kembalikan jumlah ini', en: 'Refund this amount' },
    };
    const amounts = [
      ...choice('owed', owed, { id: 'yang tidak terkirim', en: 'what was not delivered' }),
      ...(owed === all
        ? []
        : choice('all', all, { id: 'semua yang dibayar', en: 'everything that was paid' })),
    ];
    return [
      {
        name: 'all',
        label: { id: 'Berapa', en: 'How much' },
        // Nothing is owed for a delivered order, so the operator chooses the amount.
        choices: owed === 0 ? [other, ...amounts] : [...amounts, other],
      },
      {
        name: 'amount',
        label: { id: 'Jumlah', en: 'Amount' },
        hint: {
          id: `Bilangan bulat dalam satuan terkecil ${settings.currency}.`,
          en: `A whole number in the smallest unit of ${settings.currency}.`,
        },
        of: 'amount',
      },
    ];
  },
  details: (view, { order, ...records }) => {
    const paid = paidByGateway(refundBalance(order, records));
    return [[view.words(texts).byGateway, paid === 0 ? null : view.money(paid)]];
  },
  perform: (operator, id, input) => refundOrder(operator, id, readRefund(input)),
});
