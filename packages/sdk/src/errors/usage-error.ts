import type { Operation } from '@topup-kit/core/contract';
import { TopupError } from './topup-error.ts';

/** Which value cannot be used; `INVALID_PATH_PARAMETER` is a slug or an order id. */
export type UsageErrorCode =
  | 'INVALID_BASE_URL'
  | 'INVALID_API_KEY'
  | 'INVALID_TIMEOUT'
  | 'INVALID_PATH_PARAMETER'
  | 'INVALID_IDEMPOTENCY_KEY'
  | 'INVALID_REQUEST';

/**
 * A value handed in cannot be used; nothing was sent (source: ours). `createTopupClient` throws it, a method
 * rejects with it.
 *
 * @example
 * ```ts
 * createTopupClient({ baseUrl: '/api' }); // TopupUsageError, code INVALID_BASE_URL
 * ```
 */
export class TopupUsageError extends TopupError {
  override readonly name = 'TopupUsageError';
  override readonly code: UsageErrorCode;

  constructor(code: UsageErrorCode, message: string, operation?: Operation) {
    super(operation === undefined ? message : `${operation}: ${message} Nothing was sent.`, { operation });
    this.code = code;
  }
}
