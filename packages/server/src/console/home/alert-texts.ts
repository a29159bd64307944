import type { Alert, AlertKind } from '@topup-kit/core/engine';
import { alertAdvice } from '@topup-kit/core/engine';
import type { View } from '../view.ts';

/** The alerts in Indonesian; in English, the words are those of doctor. */
const inIndonesian: Readonly<Record<AlertKind, { sentence: (count: string) => string; advice: string }>> = {
  'waiting-for-balance': {
    sentence: (count) => `${count} pesanan yang sudah dibayar menunggu deposit di pemasok`,
    advice:
      'Isi deposit di pemasok. Server mengetahuinya dalam hitungan detik dan mengirim pesanan. Untuk mencoba satu pesanan sekarang, kirim ulang.',
  },
  'stuck-orders': {
    sentence: (count) =>
      `${count} pesanan sudah dikirim lebih dari 15 menit tanpa hasil, atau hasilnya tidak diketahui`,
    advice:
      'Lihat sebabnya. Jika item menunggu dibeli, server mencoba lagi sendiri: untuk mencoba sekarang, ulangi pesanannya. Jika pemasok sedang gangguan, tunggu: server terus bertanya. Jika hasilnya tidak diketahui, tanyakan ke pemasok lalu tandai pesanannya.',
  },
  'failed-deliveries': {
    sentence: (count) =>
      `${count} pesanan yang sudah dibayar gagal dikirim dan menunggu pengulangan atau pengembalian dana`,
    advice:
      'Lihat alasan pemasok. Jika bisa diperbaiki, perbaiki lalu ulangi. Jika tidak, kembalikan uangnya dan catat.',
  },
  contradictions: {
    sentence: (count) => `Pemasok membantah hasil ${count} pesanan, jadi tidak jelas apa yang terkirim`,
    advice:
      'Tanyakan ke pemasok laporan mana yang benar, lalu tandai pesanannya. Sebelum itu jangan mengulang atau mengembalikan dana.',
  },
  'money-without-an-order': {
    sentence: (count) =>
      `${count} pembayaran tidak cocok dengan pesanan mana pun dan harus diselesaikan atau dikembalikan`,
    advice:
      'Periksa di dasbor gateway apakah uangnya benar-benar masuk. Lalu berikan pesanannya, atau kembalikan uangnya.',
  },
  'refunded-payments': {
    sentence: (count) =>
      `Gateway mengembalikan ${count} pembayaran, seluruhnya atau sebagian, dan pesanannya belum mencatatnya`,
    advice:
      'Lihat di dasbor gateway berapa yang dikembalikan dan mengapa. Yang belum terkirim tetap dikirim, kecuali Anda menandainya gagal.',
  },
  'unpaid-refunds': {
    sentence: (count) => `${count} pengembalian dana sudah lebih dari sehari menunggu dibayar`,
    advice: 'Bayar kembali kepada pelanggan, lalu catat. Yang ternyata tidak perlu dibayar dibatalkan.',
  },
  'unclear-payments': {
    sentence: (count) =>
      `Lebih dari 5 menit gateway belum memberi tahu apakah ${count} pesanan punya pembayaran`,
    advice:
      'Server terus bertanya: lihat log-nya. Jika gateway normal dan dasbornya tidak memuat pembayaran itu, lepaskan pesanannya.',
  },
  'low-balance': {
    sentence: () => 'Saldo di pemasok rendah',
    advice: 'Isi deposit di pemasok sebelum pesanan harus menunggunya.',
  },
  'products-below-cost': {
    sentence: (count) => `${count} produk harganya di bawah modal dan ditutup`,
    advice:
      'Sinkronkan: harga yang mengikuti aturan margin dinaikkan dan produknya terbuka dengan sendirinya. Dengan TOPUP_SYNC_MINUTES=1 server melakukannya setelah setiap daftar. Naikkan harga yang terkunci sendiri.',
  },
  'rejected-requests': {
    sentence: () => 'Permintaan ke penyedia gagal',
    advice:
      'Jika penyedia sedang gangguan (tidak menjawab, atau status 500 ke atas), tunggu, atau tutup metode pembayaran atau produknya. Jika tidak, bandingkan kunci, URL, dan alamat yang diizinkan dengan dasbornya. Peringatan ini hilang begitu permintaan berikutnya berhasil.',
  },
  'failing-callbacks': {
    sentence: (count) => `${count} callback terakhir dari penyedia gagal atau ditolak`,
    advice:
      'Pembayaran dan pengiriman tetap ditemukan dengan bertanya, hanya lebih lambat. Lihat mengapa callback gagal.',
  },
  'failing-webhooks': {
    sentence: (count) =>
      `${count} webhook dinonaktifkan atau sudah lebih dari sejam tidak menerima peristiwa`,
    advice:
      'Lihat jawaban tujuannya dan beri tahu pengelolanya. Setelah normal, aktifkan lalu kirim ulang yang terlewat.',
  },
  'rejected-by-limits': {
    sentence: (count) => `Batas permintaan menolak ${count} permintaan`,
    advice:
      'Pelanggan kunci ini mendapat "Too Many Attempts." Beri situs dengan banyak pelanggan kunci yang dibuat dengan --trusted, dan sebutkan alamat pelanggan di X-Topup-Customer-IP pada setiap permintaan. Atau naikkan TOPUP_READS_PER_MINUTE atau TOPUP_ORDERS_PER_MINUTE. Jika hanya satu pelanggan yang terlalu sering mengirim, biarkan.',
  },
};

/** What an alert says, and what to do about it, in the visitor's language. */
export function alertWords(
  view: View,
  { kind, count, sentence, reasons }: Alert,
): { sentence: string; advice: string } {
  if (view.locale === 'en') return { sentence, advice: alertAdvice[kind].text };
  const words = inIndonesian[kind];
  const why = reasons ? ` (ada yang menunggu karena: ${reasons.join('; ')})` : '';
  return { sentence: words.sentence(view.number(count)) + why, advice: words.advice };
}
