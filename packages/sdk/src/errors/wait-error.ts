import type { PaymentState } from '../generated/types.ts';
import { type CallFacts, TopupError } from './topup-error.ts';

/** The reason why waiting for an order ended without a result. */
export type WaitErrorCode = 'WAIT_TIMEOUT' | 'STATUS_UNAVAILABLE';

export interface WaitErrorDetails {
  code: WaitErrorCode;
  orderId: string;
  lastState: PaymentState | undefined;
  cause: unknown;
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
  /** The last known state; undefined when there is none. */
  declare readonly lastState: PaymentState | undefined;

  constructor(message: string, facts: CallFacts, details: WaitErrorDetails) {
    const retryable = details.code === 'WAIT_TIMEOUT';
    super(message, { ...facts, operation: 'getPaymentStatus' }, { ...details, retryable });
  }
}
