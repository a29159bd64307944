import type { Locale } from '@topup-kit/core/contract';
import type { DisplayStatus } from './display-status.ts';

/** The actions of the buttons on a sandbox's payment page. */
export const pageActions = ['pay', 'fail', 'expire'] as const;
export type PageAction = (typeof pageActions)[number];

const indonesian = {
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
  /** Shown when the browser doesn't allow the page to copy. */
  selected: 'Kode sudah dipilih; salin dari menu.',
  /** Shown while the order's state can't be loaded. */
  connectionError: 'Status gagal diperbarui. Periksa koneksi Anda; halaman ini akan terus mencoba.',
  reload: 'Tanpa JavaScript, halaman ini tidak diperbarui secara otomatis.',
  reloadLink: 'Muat ulang untuk melihat status terbaru',
  /** Followed by the host or the name of the shop. */
  backTo: 'Kembali ke',
  serialNumber: 'Nomor seri',
  qrAlternative: 'Kode QR untuk membayar pesanan ini',
  /** For customers who can't scan the QR code, because it is on their own screen. */
  qrAsText: 'Kode QR sebagai teks',
  sandbox: 'Ini uji coba: tidak ada uang sungguhan yang ditagih.',
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
      text: 'Toko mengembalikan dana untuk barang yang tidak terkirim.',
    },
  },
  actions: { pay: 'Bayar', fail: 'Gagalkan', expire: 'Kedaluwarsa' },
} satisfies {
  [text: string]: unknown;
  statuses: Record<DisplayStatus, { title: string; text: string }>;
  actions: Record<PageAction, string>;
};

export type PaymentTexts = typeof indonesian;

const english: PaymentTexts = {
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
  connectionError: 'The status could not be updated. Check your connection; this page will keep trying.',
  reload: 'Without JavaScript, this page does not refresh automatically.',
  reloadLink: 'Reload to see the latest status',
  backTo: 'Back to',
  serialNumber: 'Serial number',
  qrAlternative: 'QR code to pay this order',
  qrAsText: 'The QR code as text',
  sandbox: 'This is a test: no real money is charged.',
  statuses: {
    waiting: {
      title: 'Waiting for payment',
      text: 'Pay as shown below before the time runs out.',
    },
    processing: {
      title: 'Paid, being delivered',
      text: 'Your payment was received. Your order is being delivered to the account.',
    },
    delivered: { title: 'Delivered', text: 'Your order was delivered to the account.' },
    undelivered: {
      title: 'Delivery failed',
      text: 'Your payment was received, but the order could not be delivered. Contact the shop with the order number below.',
    },
    failed: {
      title: 'Payment failed',
      text: 'The order was cancelled. To try again, place a new order.',
    },
    expired: {
      title: 'Payment expired',
      text: 'The order was cancelled. Do not pay for it; place a new order.',
    },
    cancelled: { title: 'Order cancelled', text: 'Do not pay for this order.' },
    refunded: {
      title: 'Refunded',
      text: 'The shop refunds the items that were not delivered.',
    },
  },
  actions: { pay: 'Pay', fail: 'Fail', expire: 'Expire' },
};

export const paymentTexts: Record<Locale, PaymentTexts> = { id: indonesian, en: english };
