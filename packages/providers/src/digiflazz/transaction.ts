import type { SupplyResult } from '@topup-kit/core/supplier';
import * as z from 'zod/mini';
import type { ProviderHttp } from '../http.ts';
import { type ResponseCode, responseCodes, statusOf } from './response-codes.ts';

/** What Digiflazz says of a transaction, in a response and in a webhook. Failures without one may lack its fields. */
export const transactionSchema = z.object({
  rc: z.optional(z.string()),
  status: z.optional(z.string()),
  message: z.optional(z.string()),
  ref_id: z.optional(z.string()),
  customer_no: z.optional(z.string()),
  buyer_sku_code: z.optional(z.string()),
  sn: z.nullish(z.string()),
});
export type Transaction = z.infer<typeof transactionSchema>;

/** The code of a transaction; undefined when it is unknown, or its status says something else. */
export function codeOf({ rc, status }: Transaction): ResponseCode | undefined {
  const code = rc === undefined ? undefined : responseCodes.get(rc);
  return rc !== undefined && statusOf(rc) === status ? code : undefined;
}

/** Why a purchase failed, for an operator. */
const reasonOf = ({ rc, message }: Transaction, { text }: ResponseCode, http: ProviderHttp): string =>
  http.error(`rc ${rc}, ${message || text}`).message;

/** The outcome of a transaction that was made; null when the code says nothing of one. */
export function resultOf(transaction: Transaction, http: ProviderHttp): SupplyResult | null {
  const code = codeOf(transaction);
  if (code?.kind === 'done') return { state: 'delivered', serialNumber: transaction.sn?.trim() ?? '' };
  if (code?.kind === 'pending') return { state: 'pending' };
  return code?.kind === 'failed' ? { state: 'failed', reason: reasonOf(transaction, code, http) } : null;
}

/** The outcome of the first request for a purchase when it made no transaction; null when that isn't certain. */
export function rejectionOf(transaction: Transaction, http: ProviderHttp): SupplyResult | null {
  const code = codeOf(transaction);
  return code?.kind === 'rejected' ? { state: 'failed', reason: reasonOf(transaction, code, http) } : null;
}
