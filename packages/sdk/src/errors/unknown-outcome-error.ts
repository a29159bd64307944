import type { TopupHttpError } from './http-error.ts';
import type { TopupAbortError, TopupNetworkError, TopupTimeoutError } from './no-response-error.ts';
import type { TopupResponseError } from './response-error.ts';
import { type RequestMetadata, requestLine, TopupError } from './topup-error.ts';
import type { TopupUsageError } from './usage-error.ts';

/** Possible causes of an unknown outcome. It is a `TopupUsageError` if a hook threw before a retry. */
export type UnknownOutcomeCause = TopupUnknownOutcomeError['cause'];

/**
 * The outcome of an order is unknown (or the outcome of a `client.request` that changes something): the request was sent, but no clear
 * response arrived. `cause` is the error of the last attempt. If the service honours `Idempotency-Key`, `retryable` is true: call again
 * with `error.idempotencyKey` while the service keeps the key (a Topup Kit server keeps it as long as the order exists). This creates no
 * second order. If it is false, but you know that the service honours the key (a Topup Kit server does), repeat the call in the same way
 * with `idempotency: 'supported'`. Otherwise check at the service whether the order exists before you order again.
 *
 * @example
 * ```ts
 * if (isTopupError(error, 'UNKNOWN_OUTCOME') && error.retryable) {
 *   await client.orders.create(request, { idempotencyKey: error.idempotencyKey });
 * }
 * ```
 */
export class TopupUnknownOutcomeError extends TopupError {
  override readonly name = 'TopupUnknownOutcomeError';
  override readonly code = 'UNKNOWN_OUTCOME';
  declare readonly retryable: boolean;
  declare readonly cause:
    | TopupHttpError
    | TopupResponseError
    | TopupNetworkError
    | TopupTimeoutError
    | TopupAbortError
    | TopupUsageError;
  declare readonly idempotencyKey: string;

  constructor(metadata: RequestMetadata, details: { cause: UnknownOutcomeCause; retryable: boolean }) {
    const { cause, retryable } = details;
    const isOrder = metadata.operation === 'createOrder';
    const reason = 'status' in cause ? `${cause.status} ${cause.code}` : cause.code;
    const unless = `Check first whether it ${isOrder ? 'exists' : 'did'}. Only if the service honours the key, call again`;
    const option = isOrder && !retryable ? "idempotency 'supported' and " : '';
    super(
      `${requestLine(metadata)}: it is unknown whether the ${isOrder ? 'order was created' : 'request took effect'} ` +
        `(${reason}). ${retryable ? 'Call again' : unless} with ${option}idempotencyKey '${metadata.idempotencyKey}'.`,
      metadata,
      details,
    );
  }

  override toJSON(): Record<string, unknown> {
    return { ...super.toJSON(), cause: this.cause.toJSON() };
  }
}
