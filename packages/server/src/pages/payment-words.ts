import type { BuyStatus, Locale, PaymentGroup, PaymentStatus } from '@topup-kit/core/contract';

/** The words of the payment page in one language. */
interface PaymentWords {
  title: string;
  order: string;
  unitPrice: string;
  discount: string;
  fee: string;
  uniqueCode: string;
  total: string;
  account: string;
  method: string;
  payBefore: string;
  qrAlternative: string;
  sandbox: string;
  payTo: Record<PaymentGroup, string>;
  paymentStatus: Record<PaymentStatus, string>;
  buyStatus: Record<BuyStatus, string>;
}

export const paymentWords: Record<Locale, PaymentWords> = {
  id: {
    title: 'Pembayaran',
    order: 'Pesanan',
    unitPrice: 'Harga satuan',
    discount: 'Diskon promo',
    fee: 'Biaya layanan',
    uniqueCode: 'Kode unik',
    total: 'Total pembayaran',
    account: 'Akun tujuan',
    method: 'Metode pembayaran',
    payBefore: 'Bayar sebelum',
    qrAlternative: 'Kode QR untuk membayar pesanan ini',
    sandbox: 'Sandbox: tidak ada uang sungguhan yang berpindah.',
    payTo: {
      QRIS: 'Pindai kode QR ini dengan aplikasi bank atau dompet digital Anda.',
      'Virtual Account': 'Transfer ke nomor virtual account ini.',
      Retail: 'Tunjukkan kode ini kepada kasir.',
      'E-Wallet': 'Selesaikan pembayaran di aplikasi dompet digital Anda.',
      'Bank Transfer': 'Transfer tepat sejumlah total ke nomor rekening ini.',
    },
    paymentStatus: {
      UNPAID: 'Menunggu pembayaran',
      PAID: 'Sudah dibayar',
      EXPIRED: 'Waktu pembayaran habis',
      FAILED: 'Pembayaran gagal',
      REFUND: 'Dana dikembalikan',
    },
    buyStatus: {
      Pending: 'Menunggu pembayaran',
      Proses: 'Sedang diproses',
      Sukses: 'Sukses',
      Gagal: 'Gagal',
      Batal: 'Batal',
    },
  },
  en: {
    title: 'Payment',
    order: 'Order',
    unitPrice: 'Unit price',
    discount: 'Promo discount',
    fee: 'Service fee',
    uniqueCode: 'Unique code',
    total: 'Total to pay',
    account: 'Account to top up',
    method: 'Payment method',
    payBefore: 'Pay before',
    qrAlternative: 'QR code to pay this order',
    sandbox: 'Sandbox: no real money moves.',
    payTo: {
      QRIS: 'Scan this QR code with your bank or wallet app.',
      'Virtual Account': 'Transfer to this virtual account number.',
      Retail: 'Show this code at the till.',
      'E-Wallet': 'Finish the payment in your wallet app.',
      'Bank Transfer': 'Transfer exactly the total to this account number.',
    },
    paymentStatus: {
      UNPAID: 'Waiting for payment',
      PAID: 'Paid',
      EXPIRED: 'Payment time is over',
      FAILED: 'Payment failed',
      REFUND: 'Refunded',
    },
    buyStatus: {
      Pending: 'Waiting for payment',
      Proses: 'Being delivered',
      Sukses: 'Delivered',
      Gagal: 'Failed',
      Batal: 'Cancelled',
    },
  },
};
