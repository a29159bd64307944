import type { Localised } from '@topup-kit/core/contract';
import type { Actor, OrderEvent, StoredUnit } from '@topup-kit/core/store';
import type { StateWords, Tone } from '../parts.ts';

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
