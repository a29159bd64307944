import type { FailureReason } from '@topup-kit/core/contract';
import type { PurchaseResult } from '@topup-kit/core/supplier';
import { ProviderError, type ProviderHttp } from './http.ts';

/** Meaning of the words with which a supplier rejects a purchase. */
export interface Rejection {
  says: RegExp;
  /**
   * `never`: nothing was bought, and a repetition would buy nothing. `balance`, `supplier`, `product`: nothing was bought now, because of
   * the balance, of the supplier as a whole, or of this product, so the purchase is repeated. `operator`: something may have been bought.
   */
  means: 'never' | 'balance' | 'supplier' | 'product' | 'operator';
  /** Advice for the operator. */
  advice?: string;
  /** Reason that the customer sees if the purchase fails with these words. */
  failure?: FailureReason;
}

/**
 * Common words of such services in Indonesian or English, for documentation that lists none. The first match counts, and words that may
 * concern a purchase come first. Other words count only if they name the cause, and an operator decides about the rest.
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
      "Allow this server's address in its dashboard. If the message names an IPv6 address, allow it, or use IPv4 only (docs/going-live.md).",
  },
  {
    says: /(signature|\bsign|\bkey|api[ _-]?id|member.?code)\b.*(salah|invalid|wrong|tidak (valid|sesuai))/i,
    means: 'supplier',
    advice: 'Compare the keys with its dashboard.',
  },
  {
    says: /saldo.*(tidak (cukup|mencukupi)|kurang)|insufficient (balance|funds|saldo)/i,
    means: 'balance',
    advice: 'Top up the balance in its dashboard.',
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

/** Temporary reasons for the failure of a purchase. */
const passing: readonly Rejection['means'][] = ['supplier', 'product'];

/** Returns the meaning of the words with which a purchase failed: the reason for the customer, and whether it is temporary. */
export function failureIn(
  table: readonly Rejection[],
  said: string,
): { kind: FailureReason | undefined; isTemporary?: true } {
  const row = table.find(({ says, means }) => means !== 'operator' && says.test(said));
  return { kind: row?.failure, ...(row && passing.includes(row.means) && { isTemporary: true }) };
}

/**
 * Returns the result of a purchase whose request was rejected with these words.
 *
 * @throws ProviderError if they don't prove that nothing was bought.
 */
export function rejectedPurchase(
  { http, table }: { http: ProviderHttp; table: readonly Rejection[] },
  about: string,
  said: string,
): PurchaseResult {
  const { means = 'operator', advice, failure } = table.find(({ says }) => says.test(said)) ?? {};
  const text = `${about}: ${said.replace(/\.$/, '')}.${advice === undefined ? '' : ` ${advice}`}`;
  if (means === 'operator')
    throw http.error(`${text} It may still have bought something: look the purchase up in its dashboard.`);
  const reason = http.error(text).message;
  return means === 'never'
    ? { state: 'failed', reason, kind: failure }
    : { state: 'pending', waitsFor: means, reason };
}

/** Statuses from a server in front of the service, about the address, the key, or the rate. Other statuses may concern a purchase. */
const refusals: readonly (number | undefined)[] = [401, 403, 429];

/**
 * Submits a purchase. The purchase waits if its request certainly had no effect: the supplier was unreachable, or, if its status is
 * reliable, a server in front of it rejected the request.
 */
export async function submitOrWait(
  submit: () => Promise<PurchaseResult>,
  { believesStatus }: { believesStatus: boolean },
): Promise<PurchaseResult> {
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
