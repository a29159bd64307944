import type { FailureReason } from '@topup-kit/core/contract';

export type TransactionStatus = 'Sukses' | 'Pending' | 'Gagal';

/** Meaning of a code for a purchase, in addition to `done` and `pending`. */
export type CodeKind =
  | 'done'
  | 'pending'
  /** A transaction was made and failed. Its `ref_id` is used up, and its cost is refunded. */
  | 'failed'
  /** Like `failed`, but in the response to a look-up it may concern only the look-up. */
  | 'limited'
  /** No transaction was made, and a repeated request would make none either. */
  | 'rejected'
  /** No transaction can be made until the operator changes something. */
  | 'operator'
  /** No transaction was made because of a temporary problem. */
  | 'later'
  /** This request made no transaction, but its `ref_id` has one. */
  | 'taken';

export interface ResponseCode {
  text: string;
  kind: CodeKind;
  /** The meaning for the operator, and the next step. */
  advice?: string;
  /** Reason why a purchase waits after a submission with this code; omitted if it doesn't wait. */
  waitsFor?: 'balance' | 'supplier' | 'product';
  /** Reason for a failure that the customer sees, if the code contains it. */
  failure?: FailureReason;
  /** True if the reason for a failure is temporary, so that another transaction may succeed. */
  isTemporary?: true;
}

const of = (
  kind: CodeKind,
  texts: Readonly<Record<string, string>>,
  failure?: FailureReason,
): [string, ResponseCode][] =>
  Object.entries(texts).map(([rc, text]) => [rc, { text, kind, ...(failure && { failure }) }]);

/** Creates codes of transactions that failed for a temporary reason, so that Digiflazz asks for another transaction later. */
const tryLater = (kind: CodeKind, texts: Readonly<Record<string, string>>): [string, ResponseCode][] =>
  of(kind, texts, 'product_unavailable').map(([rc, code]) => [rc, { ...code, isTemporary: true }]);

const unfunded = (rc: string, text: string): [string, ResponseCode] => [
  rc,
  { text, kind: 'operator', advice: 'Top up the balance at Digiflazz.', waitsFor: 'balance' },
];

const forOperator = (rc: string, text: string, advice: string): [string, ResponseCode] => [
  rc,
  { text, kind: 'operator', advice, waitsFor: 'supplier' },
];

/** Creates a code for a problem of the product or its seller, or for a limit of the account. */
const later = (rc: string, text: string, waitsFor: 'supplier' | 'product'): [string, ResponseCode] => [
  rc,
  { text, kind: 'later', waitsFor },
];

/**
 * Codes of Digiflazz (`rc`) with their documented messages. The documentation also says which codes make a transaction; the rest is our
 * choice. An operator decides about an unknown code, or about a code with another status.
 */
export const responseCodes: ReadonlyMap<string, ResponseCode> = new Map([
  ...of('done', { '00': 'Transaksi Sukses' }),
  ...of('pending', { '03': 'Transaksi Pending', '99': 'DF Router Issue' }),
  ...of('failed', {
    '01': 'Timeout',
    '02': 'Transaksi Gagal',
    '51': 'Nomor Tujuan Diblokir',
    '60': 'Tagihan belum tersedia',
    '70': 'Timeout Dari Biller',
    '72': 'Lakukan Unreg Paket Dahulu',
    '73': 'Kwh Melebihi Batas',
    '74': 'Transaksi Refund',
    '84': 'Nominal tidak valid',
  }),
  ...of(
    'failed',
    {
      '52': 'Prefix Tidak Sesuai Dengan Operator',
      '54': 'Nomor Tujuan Salah',
      '57': 'Jumlah Digit Kurang Atau Lebih',
    },
    'account_not_found',
  ),
  ...of('failed', { '59': 'Tujuan di Luar Wilayah/Cluster' }, 'region_mismatch'),
  ...tryLater('failed', {
    '53': 'Produk Seller Sedang Tidak Tersedia',
    '55': 'Produk Sedang Gangguan',
    '58': 'Sedang Cut Off',
    '71': 'Produk Sedang Tidak Stabil',
  }),
  ...of('rejected', { '43': 'SKU tidak ditemukan atau Non-Aktif' }, 'product_unavailable'),
  ...of('limited', {
    '50': 'Transaksi Tidak Ditemukan',
    '86': 'Limitasi pengecekan nomor PLN tercapai',
  }),
  ...tryLater('limited', { '85': 'Limitasi transaksi tercapai' }),
  ...of('rejected', {
    '40': 'Payload Error',
    '47': 'Transaksi sudah terjadi di buyer lain',
    '63': 'Tidak support transaksi multi',
    '64': 'Tarik tiket gagal, coba nominal lain atau hubungi admin',
    '65': 'Limit transaksi multi',
    '67': 'Seller belum ter-verifikasi',
    '80': 'Akun Anda telah diblokir oleh Seller',
    '81': 'Seller ini telah diblokir oleh Anda',
    '87': 'Transaksi E-money wajib kelipatan Rp 1.000',
  }),
  [
    '69',
    {
      text: 'Harga seller lebih besar dari ketentuan harga Buyer',
      kind: 'rejected',
      advice:
        'Its cost is now above its price in the order without a promo code (max_price), so nothing was bought.',
    },
  ],
  later('56', 'Limit saldo seller', 'product'),
  later('62', 'Seller sedang mengalami gangguan', 'product'),
  later('66', 'Cut Off (Perbaikan Sistem Seller)', 'product'),
  later('68', 'Stok habis', 'product'),
  later('83', 'Limitasi pengecekan pricelist', 'supplier'),
  ...of('taken', { '49': 'Ref ID tidak unik' }),
  forOperator('41', 'Signature tidak valid', 'Check the user name and the API key of Digiflazz.'),
  forOperator('42', 'Gagal memproses API Buyer', 'Check the user name of Digiflazz.'),
  unfunded('44', 'Saldo tidak cukup'),
  forOperator('45', 'IP Anda tidak kami kenali', "Allow this server's address at Digiflazz."),
  unfunded('61', 'Belum pernah melakukan deposit'),
  forOperator('82', 'Akun Anda belum ter-verifikasi', 'Have the account at Digiflazz verified.'),
  forOperator('88', 'Akun Anda tidak dapat melakukan aksi ini', 'Ask Digiflazz to unlock the account.'),
]);

const statuses: Readonly<Partial<Record<CodeKind, TransactionStatus>>> = {
  done: 'Sukses',
  pending: 'Pending',
};

export const textOf = (rc: string): string => responseCodes.get(rc)?.text ?? 'Transaksi Gagal';

export const statusOf = (rc: string): TransactionStatus =>
  statuses[responseCodes.get(rc)?.kind ?? 'failed'] ?? 'Gagal';

export const makesTransaction = (rc: string): boolean =>
  ['done', 'pending', 'failed', 'limited'].includes(responseCodes.get(rc)?.kind ?? 'failed');
