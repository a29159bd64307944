import type { Localised } from '@topup-kit/core/contract';
import type { Actor, OrderEvent, Reconciliation, Refund, StoredUnit } from '@topup-kit/core/store';
import type { StateWords, Tone } from '../parts.ts';

// How the pages of orders name what the store keeps.

export const eventWords: Record<OrderEvent, Localised> = {
  paid: { id: 'Dibayar', en: 'Paid' },
  expired: { id: 'Kedaluwarsa', en: 'Expired' },
  failed: { id: 'Pembayaran gagal', en: 'Payment failed' },
  settled: { id: 'Pembayaran diterima operator', en: 'Payment accepted by an operator' },
  delivered: { id: 'Terkirim', en: 'Delivered' },
  undelivered: { id: 'Pengiriman gagal', en: 'Delivery failed' },
  retried: { id: 'Diulang', en: 'Retried' },
  refunded: { id: 'Dana dikembalikan', en: 'Refunded' },
  noted: { id: 'Catatan', en: 'Note' },
};

export const eventTones: Record<OrderEvent, Tone> = {
  paid: 'good',
  settled: 'good',
  delivered: 'good',
  undelivered: 'bad',
  failed: 'bad',
  retried: 'busy',
  refunded: 'quiet',
  expired: 'quiet',
  noted: 'quiet',
};

export const actorWords: Record<Actor, Localised> = {
  gateway: { id: 'gateway', en: 'gateway' },
  supplier: { id: 'pemasok', en: 'supplier' },
  clock: { id: 'jam', en: 'clock' },
  operator: { id: 'operator', en: 'operator' },
  sandbox: { id: 'sandbox', en: 'sandbox' },
};

export const unitWords: Record<StoredUnit['state'], StateWords> = {
  waiting: { text: { id: 'menunggu', en: 'waiting' }, tone: 'busy' },
  asked: { text: { id: 'diminta', en: 'asked' }, tone: 'busy' },
  unknown: { text: { id: 'tidak diketahui', en: 'unknown' }, tone: 'bad' },
  delivered: { text: { id: 'terkirim', en: 'delivered' }, tone: 'good' },
  failed: { text: { id: 'gagal', en: 'failed' }, tone: 'bad' },
};

export const reasonWords: Record<Reconciliation['reason'], Localised> = {
  late: { id: 'dibayar setelah pesanan kedaluwarsa', en: 'paid after the order expired' },
  amount: { id: 'bukan total pesanan', en: 'not the order’s total' },
  closed: {
    id: 'dibayar lagi, atau setelah pesanan gagal',
    en: 'paid again, or after the order failed',
  },
  unknown: {
    id: 'tidak ada pesanan dengan referensi ini',
    en: 'no order has this payment reference',
  },
  refunded: {
    id: 'dikembalikan gateway, tetapi belum tercatat di pesanan',
    en: 'the gateway paid it back, and the order does not show it',
  },
};

/** What became of a payment to reconcile; one of reason `refunded` is money that left. */
export function reconciledWords({ state, reason }: Pick<Reconciliation, 'state' | 'reason'>): Localised {
  if (state === 'open') return { id: 'menunggu operator', en: 'waits for an operator' };
  if (reason === 'refunded')
    return state === 'settled'
      ? { id: 'dihitung sebagai pengembalian dana', en: 'counted as a refund' }
      : { id: 'ditutup', en: 'closed' };
  return state === 'settled'
    ? { id: 'dihitung sebagai pembayaran', en: 'counted as the payment' }
    : { id: 'dikembalikan', en: 'returned' };
}

export const refundWords: Record<Refund['state'], StateWords> = {
  'to-pay': { text: { id: 'harus dibayar', en: 'to pay' }, tone: 'bad' },
  paid: { text: { id: 'sudah dibayar', en: 'paid' }, tone: 'good' },
  cancelled: { text: { id: 'dibatalkan', en: 'cancelled' }, tone: 'quiet' },
};
