import type { PaymentState } from '../generated/types.ts';
import { type CallMetadata, TopupError } from './topup-error.ts';

/** The reason why waiting for an order ended without a result. */
export type WaitErrorCode = 'WAIT_TIMEOUT' | 'STATUS_UNAVAILABLE';

/** Data that a wait has about its order. */
export interface WaitMetadata extends CallMetadata {
  orderId: string;
  lastState: PaymentState | undefined;
}

/**
 * `orders.waitFor` ended without a result. `WAIT_TIMEOUT`: the time ran out; `lastState` is the last known state, and
 * you can wait again with another call. `STATUS_UNAVAILABLE`: the service does not offer the state of the order (the first
 * response was a 404, a 405, a page, or had no status). A service that says `INVOICE_NOT_FOUND` is believed: that is a
 * `TopupHttpError`.
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
  /** The last known state; undefined without one. */
  declare readonly lastState: PaymentState | undefined;

  constructor(code: WaitErrorCode, message: string, metadata: WaitMetadata, cause: unknown) {
    const { orderId, lastState } = metadata;
    const own = { code, orderId, lastState, cause, retryable: code === 'WAIT_TIMEOUT' };
    super(message, { ...metadata, operation: 'getPaymentStatus' }, own);
  }
}
