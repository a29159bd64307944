import type { Locale, PaymentGroup } from '@topup-kit/core/contract';
import type { Face } from './order-face.ts';
import type { PageAction } from './sandbox-actions.ts';

/** The words of the payment page in one language. */
interface PaymentWords {
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
  /** Where a browser lets no page copy. */
  selected: string;
  /** The state of the order can't be asked for. */
  trouble: string;
  reload: string;
  reloadLink: string;
  qrAlternative: string;
  /** For whoever pays on the very device that shows the picture. */
  qrAsText: string;
  sandbox: string;
  payTo: Record<PaymentGroup, string>;
  faces: Record<Face, { title: string; says: string }>;
  actions: Record<PageAction, string>;
}

export const paymentWords: Record<Locale, PaymentWords> = {
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
    trouble: 'Status belum bisa diperbarui. Periksa koneksi Anda; halaman ini terus mencoba.',
    reload: 'Halaman ini tidak memperbarui diri tanpa JavaScript.',
    reloadLink: 'Muat ulang untuk melihat status terbaru',
    qrAlternative: 'Kode QR untuk membayar pesanan ini',
    qrAsText: 'Kode QR sebagai teks',
    sandbox: 'Ini uji coba: tidak ada uang sungguhan yang berpindah.',
    payTo: {
      QRIS: 'Pindai kode QR ini dengan aplikasi bank atau dompet digital Anda.',
      'Virtual Account': 'Transfer ke nomor virtual account ini.',
      Retail: 'Tunjukkan kode ini kepada kasir.',
      'E-Wallet': 'Selesaikan pembayaran di aplikasi dompet digital Anda.',
      'Bank Transfer': 'Transfer tepat sejumlah total ke nomor rekening ini.',
    },
    faces: {
      waiting: {
        title: 'Menunggu pembayaran',
        says: 'Bayar dengan cara di bawah ini sebelum waktunya habis.',
      },
      processing: {
        title: 'Sudah dibayar, sedang diproses',
        says: 'Pembayaran diterima. Pesanan sedang dikirim ke akun tujuan.',
      },
      delivered: { title: 'Sukses', says: 'Pesanan sudah masuk ke akun tujuan.' },
      undelivered: {
        title: 'Pengiriman gagal',
        says: 'Pembayaran sudah diterima, tetapi pesanan belum terkirim. Hubungi toko dengan nomor pesanan di bawah.',
      },
      failed: {
        title: 'Pembayaran gagal',
        says: 'Pesanan dibatalkan. Untuk mencoba lagi, buat pesanan baru.',
      },
      expired: {
        title: 'Waktu pembayaran habis',
        says: 'Pesanan dibatalkan. Jangan membayar lagi untuk pesanan ini; buat pesanan baru.',
      },
      cancelled: { title: 'Pesanan dibatalkan', says: 'Jangan membayar lagi untuk pesanan ini.' },
      refunded: {
        title: 'Dana dikembalikan',
        says: 'Pesanan tidak terkirim dan pembayaran Anda dikembalikan.',
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
    trouble: "The status can't be renewed yet. Check your connection; this page keeps trying.",
    reload: 'Without JavaScript this page does not renew itself.',
    reloadLink: 'Reload to see the latest status',
    qrAlternative: 'QR code to pay this order',
    qrAsText: 'The QR code as text',
    sandbox: 'This is a trial: no real money moves.',
    payTo: {
      QRIS: 'Scan this QR code with your bank or wallet app.',
      'Virtual Account': 'Transfer to this virtual account number.',
      Retail: 'Show this code at the till.',
      'E-Wallet': 'Finish the payment in your wallet app.',
      'Bank Transfer': 'Transfer exactly the total to this account number.',
    },
    faces: {
      waiting: {
        title: 'Waiting for payment',
        says: 'Pay as shown below before the time is over.',
      },
      processing: {
        title: 'Paid, being delivered',
        says: 'The payment has arrived. Your order is on its way to the account.',
      },
      delivered: { title: 'Delivered', says: 'Your order has arrived in the account.' },
      undelivered: {
        title: 'Delivery failed',
        says: 'The payment has arrived, but the order could not be delivered. Contact the shop with the order number below.',
      },
      failed: {
        title: 'Payment failed',
        says: 'The order is cancelled. To try again, place a new order.',
      },
      expired: {
        title: 'Payment time is over',
        says: 'The order is cancelled. Do not pay for it any more; place a new order.',
      },
      cancelled: { title: 'Order cancelled', says: 'Do not pay for this order any more.' },
      refunded: {
        title: 'Refunded',
        says: 'The order was not delivered, and your payment was returned.',
      },
    },
    actions: { pay: 'Pay', fail: 'Fail', expire: 'Expire' },
  },
};
