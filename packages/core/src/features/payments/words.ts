import type { Localised } from '../../contract/index.ts';
import type { Formats } from '../../engine/errors.ts';
import { itemWords } from '../../engine/operator-plans.ts';
import type { RefundedOrder } from '../../engine/operators.ts';
import { comparedToTotal, type RefundBalance } from '../../engine/refunds.ts';
import type { Reconciliation, Refund, StoredOrder } from '../../store/index.ts';

type Money = Formats['money'];

const sentences = (...all: readonly (Localised | null)[]): Localised => {
  const said = all.filter((words) => words !== null);
  return { id: said.map(({ id }) => id).join(' '), en: said.map(({ en }) => en).join(' ') };
};

export const reasonWords: Record<Reconciliation['reason'], Localised> = {
  late: { id: 'dibayar setelah pesanan kedaluwarsa', en: 'paid after the order expired' },
  amount: { id: 'bukan total pesanan', en: "not the order's total" },
  closed: { id: 'dibayar lagi, atau setelah pesanan gagal', en: 'paid again, or after the order failed' },
  unknown: {
    id: 'tidak ada pesanan dengan referensi ini',
    en: 'no order has this payment reference',
  },
  refunded: {
    id: 'dikembalikan gateway sebanyak ini, tetapi belum tercatat di pesanan',
    en: 'the gateway paid this amount back, but the order does not show it',
  },
};

export function paymentStateWords({ state, reason }: Pick<Reconciliation, 'state' | 'reason'>): Localised {
  if (state === 'open') return { id: 'menunggu operator', en: 'open' };
  if (reason === 'refunded')
    return state === 'settled'
      ? {
          id: 'selesai: dihitung sebagai pengembalian dana pesanan',
          en: "settled: counted as the order's refund",
        }
      : { id: 'ditutup', en: 'closed' };
  return state === 'settled'
    ? { id: 'selesai: dihitung sebagai pembayaran pesanan', en: "settled: counted as the order's payment" }
    : { id: 'dikembalikan', en: 'returned' };
}

export const refundStateWords: Record<Refund['state'], Localised> = {
  'to-pay': { id: 'belum dibayar', en: 'to pay' },
  paid: { id: 'sudah dibayar', en: 'paid' },
  cancelled: { id: 'dibatalkan', en: 'cancelled' },
};

export const purposeWords = ({ units }: Refund): Localised =>
  units.length === 0
    ? { id: 'kelebihan bayar dari total pesanan', en: "excess over the order's total" }
    : itemWords(units);

/** Name of the party that closed a payment or refund if it was not an operator. */
export const gatewayWords: Localised = { id: 'gateway', en: 'the gateway' };

/** The reason that prevents a refund of a contradicted order. */
export const contradictedWords: Localised = {
  id: 'laporan pemasok saling bertentangan, jadi cari tahu dulu apa yang terkirim',
  en: 'the supplier contradicted itself: find out what was delivered first',
};

export function settlementWords(
  { order, difference }: { order: StoredOrder; difference: number },
  money: Money,
): Localised {
  const amount = money(order.pricing.total_price + difference);
  const than = comparedToTotal(difference, money);
  const over = {
    id: `Itu ${than.id} totalnya. Kelebihannya menjadi pengembalian dana yang harus Anda bayar sendiri.`,
    en: `That is ${than.en} its total. The excess becomes a refund that you must pay by hand.`,
  };
  const short = {
    id: `Itu ${than.id} totalnya. Anda menanggung kekurangannya.`,
    en: `That is ${than.en} its total. You lose the missing amount.`,
  };
  return sentences(
    {
      id: `Pembayaran ${amount} akan dihitung sebagai pembayaran untuk ${order.orderId}. Server lalu mengirim pesanannya.`,
      en: `The payment of ${amount} will count as payment for ${order.orderId}. The server then delivers the order.`,
    },
    difference === 0 ? null : difference > 0 ? over : short,
  );
}

export const returnWords = ({ amount, reason }: Reconciliation, money: Money): Localised =>
  reason === 'refunded'
    ? {
        id: `Pengembalian ${money(amount)} oleh gateway ditutup. Pesanannya tetap seperti sekarang.`,
        en: `The refund of ${money(amount)} by the gateway will be closed. The order stays as it is.`,
      }
    : {
        id: `Pembayaran ${money(amount)} dicatat sebagai dikembalikan kepada pelanggan.`,
        en: `The payment of ${money(amount)} will be recorded as returned to the customer.`,
      };

/** Describes the closing of a refund in its current state. */
export const closingWords = ({ refundId, amount, state, reference }: Refund, money: Money): Localised =>
  state === 'paid'
    ? {
        id: `Pengembalian dana ${refundId} sebesar ${money(amount)} dicatat sebagai sudah dibayar, dengan ${reference}.`,
        en: `The refund ${refundId} of ${money(amount)} will be recorded as paid, under ${reference}.`,
      }
    : {
        id: `Pengembalian dana ${refundId} sebesar ${money(amount)} dibatalkan. Pesanannya tetap seperti sekarang.`,
        en: `The refund ${refundId} of ${money(amount)} will be cancelled. The order stays as it is.`,
      };

/** Writes a sentence such as `2 of its 3 items were delivered (1, 2), and 1 was not (3).` */
function deliveredWords({ delivered, undelivered }: RefundBalance): Localised {
  const [some, others] = [delivered.length, undelivered.length];
  const all = some + others;
  if (all === 1)
    return some === 1
      ? { id: 'Barangnya terkirim.', en: 'Its item was delivered.' }
      : { id: 'Barangnya tidak terkirim.', en: 'Its item was not delivered.' };
  if (some === 0)
    return {
      id: `Tidak satu pun dari ${all} barangnya terkirim.`,
      en: `None of its ${all} items was delivered.`,
    };
  if (others === 0)
    return { id: `Semua ${all} barangnya terkirim.`, en: `All of its ${all} items were delivered.` };
  const were = (count: number): string => (count === 1 ? 'was' : 'were');
  return {
    id: `${some} dari ${all} barangnya terkirim (${delivered.join(', ')}), dan ${others} tidak (${undelivered.join(', ')}).`,
    en: `${some} of its ${all} items ${were(some)} delivered (${delivered.join(', ')}), and ${others} ${were(others)} not (${undelivered.join(', ')}).`,
  };
}

export function refundWords(refunded: RefundedOrder, money: Money): Localised {
  const { order, amount, toPay, balance } = refunded;
  const state = `${order.paymentStatus} / ${order.buyStatus}`;
  const after =
    order.paymentStatus === 'REFUND'
      ? {
          id: 'dan barang pesanan lainnya tidak dikirim lagi',
          en: 'and the rest of the order can no longer be delivered',
        }
      : { id: `dan pesanan tetap ${state}`, en: `and the order stays ${state}` };
  const delivered = deliveredWords(balance);
  const [before, byGateway] = [money(balance.refunded), money(amount - toPay)];
  return sentences(
    { id: `${order.orderId}: ${delivered.id}`, en: `${order.orderId}: ${delivered.en}` },
    balance.refunded > 0
      ? { id: `${before} sudah dikembalikan sebelumnya.`, en: `${before} was refunded before.` }
      : null,
    {
      id: `${money(amount)} dari ${money(balance.received)} yang dibayar dicatat sebagai pengembalian dana, ${after.id}.`,
      en: `${money(amount)} of the ${money(balance.received)} that was paid will be recorded as refunded, ${after.en}.`,
    },
    amount > toPay
      ? {
          id: `Gateway sudah mengembalikan ${byGateway} di antaranya.`,
          en: `The gateway has already paid back ${byGateway} of it.`,
        }
      : null,
  );
}

/** Compares an operator's amount with the amount owed; null if they are equal. */
export function comparedWords({ amount, balance: { owed } }: RefundedOrder, money: Money): Localised | null {
  if (amount === owed) return null;
  const difference = money(Math.abs(amount - owed));
  return {
    id: `Jumlah itu ${amount > owed ? 'lebih besar' : 'lebih kecil'} ${difference} daripada dana yang terutang untuk barang yang tidak terkirim (${money(owed)}).`,
    en: `That is ${difference} ${amount > owed ? 'more' : 'less'} than the amount owed for undelivered items (${money(owed)}).`,
  };
}
