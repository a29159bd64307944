import type { Localised } from '../../contract/index.ts';
import type { ActivityAction } from '../../store/index.ts';

const words: Record<ActivityAction, Localised> = {
  'order.paid': { id: 'Mencatat pesanan sebagai dibayar', en: 'Recorded an order as paid' },
  'order.expired': { id: 'Mencatat pesanan sebagai kedaluwarsa', en: 'Recorded an order as expired' },
  'order.failed': { id: 'Menutup pesanan yang ditinggalkan', en: 'Gave up an order' },
  'order.settled': { id: 'Mencatat pembayaran ke pesanan', en: 'Settled a payment with an order' },
  'order.delivered': { id: 'Menandai pesanan terkirim', en: 'Marked an order as delivered' },
  'order.undelivered': { id: 'Menandai pesanan gagal', en: 'Marked an order as failed' },
  'order.retried': { id: 'Mengulang pesanan', en: 'Retried an order' },
  'order.refunded': { id: 'Mengembalikan dana pesanan', en: 'Refunded an order' },
  'order.noted': { id: 'Menulis catatan pesanan', en: 'Added a note to an order' },
  'payment.returned': { id: 'Mengembalikan pembayaran', en: 'Returned a payment' },
  'refund.paid': { id: 'Membayar pengembalian dana', en: 'Paid a refund' },
  'refund.cancelled': { id: 'Membatalkan pengembalian dana', en: 'Cancelled a refund' },
  'catalog.edited': { id: 'Mengubah katalog', en: 'Edited the catalogue' },
  'promo.saved': { id: 'Menyimpan promo', en: 'Saved a promo' },
  'key.created': { id: 'Membuat kunci', en: 'Created a key' },
  'key.rotated': { id: 'Mengganti kunci', en: 'Rotated a key' },
  'key.revoked': { id: 'Mencabut kunci', en: 'Revoked a key' },
  'webhook.added': { id: 'Menambah webhook', en: 'Added a webhook' },
  'webhook.changed': { id: 'Mengubah webhook', en: 'Changed a webhook' },
  'webhook.deleted': { id: 'Menghapus webhook', en: 'Deleted a webhook' },
  'console.login': { id: 'Masuk ke konsol', en: 'Logged in to the console' },
  'console.ended': { id: 'Mengakhiri sesi konsol', en: 'Ended a session of the console' },
  'callback.replayed': { id: 'Mengulang callback', en: 'Replayed a callback' },
  'backup.made': { id: 'Membuat cadangan', en: 'Made a backup' },
  'backup.restored': { id: 'Memulihkan cadangan', en: 'Restored a backup' },
  'customer.erased': { id: 'Menghapus data pelanggan', en: 'Erased the data of a customer' },
};

/** Describes an operator's action. An action of a newer version is returned unchanged. */
export const activityWords = (action: string): Localised =>
  Object.entries(words).find(([known]) => known === action)?.[1] ?? { id: action, en: action };
