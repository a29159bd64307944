import type { PaymentState } from '../generated/types.ts';
import { type CallMetadata, TopupError } from './topup-error.ts';

/** The reason why waiting for an order ended without a result. */
export type WaitErrorCode = 'WAIT_TIMEOUT' | 'STATUS_UNAVAILABLE';

/** Data about a wait and its order. */
export interface WaitMetadata extends CallMetadata {
  orderId: string;
  lastState: PaymentState | undefined;
}

/**
 * `orders.waitFor` ended without a result. `WAIT_TIMEOUT`: the time ran out; `lastState` is the last known state, and you can wait again
 * with another call. `STATUS_UNAVAILABLE`: the service does not offer the state of the order (the first response was a 404, a 405, a page,
 * or had no status). If the service responds with `INVOICE_NOT_FOUND`, the error is a `TopupHttpError`.
 *
 * @example
 * ```ts
 * if (isTopupError(error, 'WAIT_TIMEOUT')) showMessage(error.lastState?.payment_status);
 * ```
 */
export class TopupWaitError extends TopupError {
  override readonly name = 'TopupWaitError';
  declare readonly code: WaitErrorCode;
  declare readonly retryable: boolean;
  /** The id of the order. */
  declare readonly orderId: string;
  /** The last known state; undefined if no state is known. */
  declare readonly lastState: PaymentState | undefined;

  constructor(code: WaitErrorCode, message: string, metadata: WaitMetadata, cause: unknown) {
    const { orderId, lastState } = metadata;
    const own = { code, orderId, lastState, cause, retryable: code === 'WAIT_TIMEOUT' };
    super(message, { ...metadata, operation: 'getPaymentStatus' }, own);
  }
}
