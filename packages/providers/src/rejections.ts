import type { FailureReason } from '@topup-kit/core/contract';
import type { SupplyResult } from '@topup-kit/core/supplier';
import { ProviderError, type ProviderHttp } from './http.ts';

/** What a supplier's words say of a purchase that it did not make. */
export interface Rejection {
  says: RegExp;
  /**
   * `never`: nothing was bought, and nothing would be if it were sent again. `balance`, `supplier`, `product`: nothing was bought now,
   * because of the balance, of all purchases there, or of this product, so that it is sent again. `operator`: something may have
   * been bought.
   */
  means: 'never' | 'balance' | 'supplier' | 'product' | 'operator';
  /** What to do about it. */
  advice?: string;
  /** What it is to the customer, when the purchase fails with these words. */
  failure?: FailureReason;
}

/**
 * What services of this kind say in Indonesian or English, where their documentation lists no words. The first that fits counts. Words
 * that may be about a purchase that was made come first; others only count when they name the cause, and the rest asks an operator.
 */
export const commonRejections: readonly Rejection[] = [
  {
    says: /dipros|processing|pending|terpotong|berhasil|sukses|success|riwayat|history|\bsama\b|\bsame\b|\bref[ _.-]?id\b|duplicate|sudah (pernah|ada)|already|double/i,
    means: 'operator',
  },
  {
    says: /\bip\b.*(not|tidak|belum|denied|invalid)|whitelist/i,
    means: 'supplier',
    advice:
      "Allow this server's address there; when it names an IPv6 address, allow that, or use IPv4 only (docs/going-live.md).",
  },
  {
    says: /(signature|\bsign|\bkey|api[ _-]?id|member.?code)\b.*(salah|invalid|wrong|tidak (valid|sesuai))/i,
    means: 'supplier',
    advice: 'Compare the keys with its dashboard.',
  },
  {
    says: /saldo.*(tidak (cukup|mencukupi)|kurang)|insufficient (balance|funds|saldo)/i,
    means: 'balance',
    advice: 'Top up the balance there.',
  },
  { says: /maintenance|pemeliharaan/i, means: 'supplier' },
  {
    says: /^(limit (transaksi|permintaan) tercapai|terlalu banyak permintaan|too many requests)/i,
    means: 'supplier',
  },
  {
    says: /(nomor|tujuan|(user|player|zone)( ?id)?) (salah|tidak valid|invalid|wrong|tidak (di)?temukan|not found)/i,
    means: 'never',
    failure: 'account_not_found',
  },
  {
    says: /(produk|product|layanan)\b.*(gangguan|cut.?off|tidak (tersedia|aktif)|non.?aktif)|stok.*(habis|kosong)|out of stock/i,
    means: 'product',
    failure: 'product_unavailable',
  },
  {
    says: /(produk|product|layanan) (tidak (di)?temukan|not found)/i,
    means: 'never',
    failure: 'product_unavailable',
  },
];

/** Which causes of a purchase that was made and failed pass by themselves. */
const passing: readonly Rejection['means'][] = ['supplier', 'product'];

/** What the words say with which a purchase failed that was made: what it is to the customer, and whether the cause passes. */
export function failureIn(
  table: readonly Rejection[],
  said: string,
): { kind: FailureReason | undefined; isTemporary?: true } {
  const row = table.find(({ says, means }) => means !== 'operator' && says.test(said));
  return { kind: row?.failure, ...(row && passing.includes(row.means) && { isTemporary: true }) };
}

/**
 * What becomes of a purchase whose request was rejected with these words.
 *
 * @throws ProviderError when they don't say for certain that nothing was bought.
 */
export function rejectedPurchase(
  { http, table }: { http: ProviderHttp; table: readonly Rejection[] },
  about: string,
  said: string,
): SupplyResult {
  const { means = 'operator', advice, failure } = table.find(({ says }) => says.test(said)) ?? {};
  const text = `${about}: ${said.replace(/\.$/, '')}.${advice === undefined ? '' : ` ${advice}`}`;
  if (means === 'operator')
    throw http.error(
      `${text} That does not say for certain that nothing was bought: look the purchase up there.`,
    );
  const reason = http.error(text).message;
  return means === 'never'
    ? { state: 'failed', reason, kind: failure }
    : { state: 'pending', waitsFor: means, reason };
}

/** Statuses of what stands before a service: the address, the key, or too many requests. Any other may be about a purchase. */
const refusals: readonly (number | undefined)[] = [401, 403, 429];

/**
 * Submits a purchase; it waits when its request surely was not carried out: the supplier could not be reached, or, where that may be
 * believed, what stands before it refused the request.
 */
export async function submitOrWait(
  submit: () => Promise<SupplyResult>,
  { believesStatus }: { believesStatus: boolean },
): Promise<SupplyResult> {
  try {
    return await submit();
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    const { isUnsent, status, message: reason } = error;
    if (isUnsent || (believesStatus && refusals.includes(status)))
      return { state: 'pending', waitsFor: 'supplier', reason };
    throw error;
  }
}
