import type { FailureReason } from '@topup-kit/core/contract';
import type { SupplyResult } from '@topup-kit/core/supplier';
import { isRejection, ProviderError, type ProviderHttp } from './http.ts';

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

/** What services of this kind say in Indonesian or English, where their documentation lists no words. The first that fits counts. */
export const commonRejections: readonly Rejection[] = [
  { says: /\bref[ _.-]?id\b|\bduplicate|sudah (pernah|ada)|double/i, means: 'operator' },
  {
    says: /\bip\b.*(not|tidak|belum|denied|invalid)|whitelist/i,
    means: 'supplier',
    advice:
      "Allow this server's address there; when it names an IPv6 address, allow that, or use IPv4 only (docs/going-live.md).",
  },
  {
    says: /signature|\bsign\b|api[ _-]?(key|id)|\bkey\b|member.?code|credential|unauthorized|tidak terdaftar/i,
    means: 'supplier',
    advice: 'Compare the keys with its dashboard.',
  },
  { says: /saldo|balance|deposit/i, means: 'balance', advice: 'Top up the balance there.' },
  { says: /maintenance|pemeliharaan|perbaikan|server (error|sibuk|busy)|system/i, means: 'supplier' },
  { says: /limit|too many|terlalu (banyak|cepat|sering)|(coba|try).*(lagi|again|nanti)/i, means: 'supplier' },
  {
    says: /(tujuan|target|nomor|user|player|akun|account|zone|server) ?(id)?.*(salah|tidak valid|invalid|wrong|tidak (di)?temukan|not found)/i,
    means: 'never',
    failure: 'account_not_found',
  },
  {
    says: /gangguan|cut.?off|stok.*(habis|kosong)|out of stock/i,
    means: 'product',
    failure: 'product_unavailable',
  },
  {
    says: /(produk|product|kode|layanan|service).*(tidak (di)?(temukan|tersedia|aktif|valid)|not (found|available)|non.?aktif|invalid)/i,
    means: 'never',
    failure: 'product_unavailable',
  },
];

const find = (table: readonly Rejection[], said: string): Rejection | undefined =>
  table.find(({ says }) => says.test(said));

/** What a failure is to the customer, by the words with which a purchase failed for good. */
export const failureIn = (table: readonly Rejection[], said: string): FailureReason | undefined =>
  find(table, said)?.failure;

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
  const { means = 'operator', advice, failure } = find(table, said) ?? {};
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

/**
 * Submits a purchase; it waits when its request surely was not carried out: the supplier could not be reached, or, where that may be
 * believed, what stands before it rejected the request.
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
    const isRejected = believesStatus && status !== undefined && isRejection(status);
    if (isUnsent || isRejected) return { state: 'pending', waitsFor: 'supplier', reason };
    throw error;
  }
}
