/** Digiflazz's `rc` in the documentation's groups. */
const texts: Readonly<Record<string, string>> = {
  '00': 'Transaksi Sukses',
  '01': 'Timeout',
  '02': 'Transaksi Gagal',
  '03': 'Transaksi Pending',
  '40': 'Payload Error',
  '41': 'Signature tidak valid',
  '43': 'SKU tidak ditemukan atau Non-Aktif',
  '44': 'Saldo tidak cukup',
  '45': 'IP Anda tidak kami kenali',
  '49': 'Ref ID tidak unik',
  '53': 'Produk Seller Sedang Tidak Tersedia',
  '58': 'Sedang Cut Off',
  '63': 'Tidak support transaksi multi',
  '68': 'Stok habis',
  '69': 'Harga seller lebih besar dari ketentuan harga Buyer',
  '74': 'Transaksi Refund',
  '83': 'Limitasi pengecekan pricelist',
  '99': 'DF Router Issue',
};

/** The message of a code. */
export const textOf = (rc: string): string => texts[rc] ?? 'Transaksi Gagal';

export type TransactionStatus = 'Sukses' | 'Pending' | 'Gagal';

export const statusOf = (rc: string): TransactionStatus => {
  if (rc === '00') return 'Sukses';
  return rc === '03' || rc === '99' ? 'Pending' : 'Gagal';
};

const range = (first: number, last: number): string[] =>
  Array.from({ length: last - first + 1 }, (_, index) => String(first + index));

/** The codes of failures for which no transaction was made, so that the same `ref_id` may be sent again. */
const withoutTransaction: ReadonlySet<string> = new Set([
  ...[...range(40, 45), '47', '49', '56', ...range(61, 69), ...range(80, 83), '87', '88'],
]);

export const makesTransaction = (rc: string): boolean => !withoutTransaction.has(rc);
