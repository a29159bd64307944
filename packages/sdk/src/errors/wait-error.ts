import type { PaymentState } from '../types.ts';
import { TopupError } from './topup-error.ts';

/** Why waiting for an order ended without a result. */
export type WaitErrorCode = 'WAIT_TIMEOUT' | 'STATUS_UNAVAILABLE';

export interface WaitErrorDetails {
  code: WaitErrorCode;
  orderId: string;
  lastState: PaymentState | undefined;
  cause: unknown;
}

/**
 * `orders.waitFor` ended without a result (source: ours). `WAIT_TIMEOUT`: its time ran out; `lastState` is what
 * it last saw, and waiting can go on with another call. `STATUS_UNAVAILABLE`: the first question was answered
 * 404, 405, a page, or without a status, by a service without that route or one that has no such order.
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
  /** The order waited for. */
  declare readonly orderId: string;
  /** The state last seen; undefined when none was. */
  declare readonly lastState: PaymentState | undefined;

  constructor(message: string, details: WaitErrorDetails) {
    const retryable = details.code === 'WAIT_TIMEOUT';
    super(message, { operation: 'getPaymentStatus' }, { ...details, retryable });
  }
}
