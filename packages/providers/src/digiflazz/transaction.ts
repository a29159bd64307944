import type { PurchaseResult } from '@topup-kit/core/supplier';
import * as z from 'zod/mini';
import type { ProviderHttp } from '../http.ts';
import { purchaseCost, text, twoDigits } from '../readers.ts';
import { type CodeKind, type ResponseCode, responseCodes, statusOf } from './response-codes.ts';

const optional = z.pipe(
  z.nullish(text),
  z.transform((value) => value ?? undefined),
);

/** Transaction in a response or a webhook. Failures without a transaction may lack its fields. */
export const transactionSchema = z.object({
  rc: z.optional(z.union([twoDigits, z.string()])),
  status: z.optional(z.string()),
  message: optional,
  ref_id: optional,
  customer_no: optional,
  buyer_sku_code: optional,
  sn: optional,
  /** Price for this account. */
  price: purchaseCost,
});
export type Transaction = z.infer<typeof transactionSchema>;

/** Returns the code of a transaction; undefined if it is unknown, or if its status contradicts it. */
export function codeOf({ rc, status }: Pick<Transaction, 'rc' | 'status'>): ResponseCode | undefined {
  const code = rc === undefined ? undefined : responseCodes.get(rc);
  return rc !== undefined && statusOf(rc).toLowerCase() === status?.toLowerCase() ? code : undefined;
}

/** Source of a transaction: the response to the first request or to a look-up, or a webhook. */
type Channel = 'submit' | 'find' | 'webhook';

/** Sources that prove that a purchase failed. A rejected look-up says nothing about the earlier request. */
const failures: Readonly<Partial<Record<CodeKind, readonly Channel[]>>> = {
  failed: ['submit', 'find', 'webhook'],
  limited: ['submit', 'webhook'],
  rejected: ['submit'],
};

/** Returns the outcome of a purchase, or that it waits for the balance; null if neither is certain. */
export function resultOf(
  transaction: Transaction,
  channel: Channel,
  http: ProviderHttp,
): PurchaseResult | null {
  const code = codeOf(transaction);
  const { price: cost } = transaction;
  if (code?.kind === 'done') return { state: 'delivered', serialNumber: transaction.sn?.trim() ?? '', cost };
  if (code?.kind === 'pending') return { state: 'pending', cost };
  const { rc, message } = transaction;
  const advice = code?.advice === undefined ? '' : `. ${code.advice}`;
  const reason = (): string => http.error(`rc ${rc}, ${message || code?.text}${advice}`).message;
  // A webhook, or a look-up that may be rejected, doesn't prove that the purchase waits. The balance is an exception.
  if (code?.waitsFor && (channel === 'submit' || (channel === 'find' && code.waitsFor === 'balance')))
    return { state: 'pending', waitsFor: code.waitsFor, reason: reason() };
  return code && failures[code.kind]?.includes(channel)
    ? {
        state: 'failed',
        reason: reason(),
        kind: code.failure,
        ...(code.isTemporary && { isTemporary: true }),
      }
    : null;
}
