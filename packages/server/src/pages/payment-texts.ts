import type { Locale } from '@topup-kit/core/contract';
import type { DisplayStatus } from './display-status.ts';

/** What the buttons of a sandbox's payment page do to its order. */
export const pageActions = ['pay', 'fail', 'expire'] as const;
export type PageAction = (typeof pageActions)[number];

/** The texts of the payment page in one language. */
export interface PaymentTexts {
  title: string;
  details: string;
  order: string;
  unitPrice: string;
  discount: string;
  fee: string;
  uniqueCode: string;
  total: string;
  account: string;
  method: string;
  payBefore: string;
  timeLeft: string;
  copy: string;
  copied: string;
  /** Where the browser doesn't let a page copy. */
  selected: string;
  /** Shown while requests for the order's state fail. */
  connectionError: string;
  reload: string;
  reloadLink: string;
  qrAlternative: string;
  /** For customers who pay on the device that shows the picture. */
  qrAsText: string;
  sandbox: string;
  statuses: Record<DisplayStatus, { title: string; text: string }>;
  actions: Record<PageAction, string>;
}

export const paymentTexts: Record<Locale, PaymentTexts> = {
  id: {
    title: 'Pembayaran',
    details: 'Rincian pesanan',
    order: 'Pesanan',
    unitPrice: 'Harga satuan',
    discount: 'Diskon promo',
    fee: 'Biaya layanan',
    uniqueCode: 'Kode unik',
    total: 'Total pembayaran',
    account: 'Akun tujuan',
    method: 'Metode pembayaran',
    payBefore: 'Bayar sebelum',
    timeLeft: 'Sisa waktu',
    copy: 'Salin kode',
    copied: 'Kode disalin',
    selected: 'Kode sudah dipilih; salin dari menu.',
    connectionError: 'Status belum bisa diperbarui. Periksa koneksi Anda; halaman ini terus mencoba.',
    reload: 'Halaman ini tidak memperbarui diri tanpa JavaScript.',
    reloadLink: 'Muat ulang untuk melihat status terbaru',
    qrAlternative: 'Kode QR untuk membayar pesanan ini',
    qrAsText: 'Kode QR sebagai teks',
    sandbox: 'Ini uji coba: tidak ada uang sungguhan yang berpindah.',
    statuses: {
      waiting: {
        title: 'Menunggu pembayaran',
        text: 'Bayar dengan cara di bawah ini sebelum waktunya habis.',
      },
      processing: {
        title: 'Sudah dibayar, sedang diproses',
        text: 'Pembayaran diterima. Pesanan sedang dikirim ke akun tujuan.',
      },
      delivered: { title: 'Sukses', text: 'Pesanan sudah masuk ke akun tujuan.' },
      undelivered: {
        title: 'Pengiriman gagal',
        text: 'Pembayaran sudah diterima, tetapi pesanan belum terkirim. Hubungi toko dengan nomor pesanan di bawah.',
      },
      failed: {
        title: 'Pembayaran gagal',
        text: 'Pesanan dibatalkan. Untuk mencoba lagi, buat pesanan baru.',
      },
      expired: {
        title: 'Waktu pembayaran habis',
        text: 'Pesanan dibatalkan. Jangan membayar lagi untuk pesanan ini; buat pesanan baru.',
      },
      cancelled: { title: 'Pesanan dibatalkan', text: 'Jangan membayar lagi untuk pesanan ini.' },
      refunded: {
        title: 'Dana dikembalikan',
        text: 'Pesanan tidak terkirim dan pembayaran Anda dikembalikan.',
      },
    },
    actions: { pay: 'Bayar', fail: 'Gagalkan', expire: 'Kedaluwarsa' },
  },
  en: {
    title: 'Payment',
    details: 'Order details',
    order: 'Order',
    unitPrice: 'Unit price',
    discount: 'Promo discount',
    fee: 'Service fee',
    uniqueCode: 'Unique code',
    total: 'Total',
    account: 'Account',
    method: 'Payment method',
    payBefore: 'Pay before',
    timeLeft: 'Time left',
    copy: 'Copy code',
    copied: 'Code copied',
    selected: 'The code is selected; copy it from the menu.',
    connectionError: "The status can't be renewed yet. Check your connection; this page keeps trying.",
    reload: 'Without JavaScript this page does not renew itself.',
    reloadLink: 'Reload to see the latest status',
    qrAlternative: 'QR code to pay this order',
    qrAsText: 'The QR code as text',
    sandbox: 'This is a trial: no real money moves.',
    statuses: {
      waiting: {
        title: 'Waiting for payment',
        text: 'Pay as shown below before the time is over.',
      },
      processing: {
        title: 'Paid, being delivered',
        text: 'The payment has arrived. Your order is on its way to the account.',
      },
      delivered: { title: 'Delivered', text: 'Your order has arrived in the account.' },
      undelivered: {
        title: 'Delivery failed',
        text: 'The payment has arrived, but the order could not be delivered. Contact the shop with the order number below.',
      },
      failed: {
        title: 'Payment failed',
        text: 'The order is cancelled. To try again, place a new order.',
      },
      expired: {
        title: 'Payment time is over',
        text: 'The order is cancelled. Do not pay for it any more; place a new order.',
      },
      cancelled: { title: 'Order cancelled', text: 'Do not pay for this order any more.' },
      refunded: {
        title: 'Refunded',
        text: 'The order was not delivered, and your payment was returned.',
      },
    },
    actions: { pay: 'Pay', fail: 'Fail', expire: 'Expire' },
  },
};
