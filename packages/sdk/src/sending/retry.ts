import type { ErrorCodeIn } from '@topup-kit/core/contract';
import {
  type HttpErrorCode,
  type TopupHttpError,
  TopupUnknownOutcomeError,
  type UnknownOutcomeCause,
} from '../errors/index.ts';
import type { RequestMetadata } from '../errors/topup-error.ts';
import type { Config } from './config.ts';
import { sleep } from './http.ts';
import { reportRetry } from './observe.ts';
import type { PreparedRequest } from './prepare.ts';
import { maxDelay } from './retry-delay.ts';

/**
 * Handles a failed attempt, and waits until the next one. Rejects with the call's error if another attempt would be too late, would exceed
 * the limit, or could create a second order. `sent` is true if an attempt was made.
 */
export type Retry = (failure: UnknownOutcomeCause, sent: boolean) => Promise<void>;

export function createRetry(request: PreparedRequest, config: Config, deadline: number): Retry {
  const { metadata, limits, signal, keySupported } = request;
  /** True if an order may have been created, or something else may have changed. Always false for reads. */
  let mayExist = false;
  let failures = 0;
  // Other routes of the service may ignore the key. This is checked each time, because the response to another call may reveal more.
  const honoured = (): boolean =>
    metadata.operation === 'createOrder' && (keySupported || config.keySupport.honoured);

  return async (failure, sent) => {
    const stopUnless = (possible: boolean): void => {
      if (possible && (honoured() || !mayExist)) return;
      throw mayExist
        ? new TopupUnknownOutcomeError(metadata, { cause: failure, retryable: honoured() })
        : failure;
    };
    failures += 1;
    // If a call was aborted between two attempts, the abort gives no new information.
    if (sent && metadata.idempotencyKey !== undefined) {
      if (mayHaveCreated(failure, metadata)) mayExist = true;
      else if (metadata.echoed && settlesEarlier(failure)) mayExist = false;
    }
    const delay = (failure.name === 'TopupHttpError' ? failure.retryAfter : undefined) ?? backoff(failures);
    const inTime = delay <= maxDelay && performance.now() + delay < deadline;
    stopUnless(failure.retryable && !signal?.aborted && failures <= limits.maxRetries && inTime);
    if (config.observers) reportRetry(config.observers, metadata, failure, delay);
    await sleep(delay, signal);
    stopUnless(true);
  };
}

/** Returns the default delay before the next attempt, in milliseconds: half a second, doubled each time, with jitter. */
const backoff = (failures: number): number =>
  Math.min(8_000, 500 * 2 ** (failures - 1)) * (0.5 + Math.random() / 2);

/**
 * Error codes with which a Topup Kit server guarantees that no order was created (open points, Errors: nothing half-saved). They count only
 * if the response repeats the idempotency key, because another service may use them differently.
 */
const nothingCreated: readonly HttpErrorCode[] = [
  'PAYMENT_FAILED',
  'SAVE_FAILED',
] satisfies ErrorCodeIn<'orderFailed'>[];

function mayHaveCreated(failure: UnknownOutcomeCause, { operation, echoed }: RequestMetadata): boolean {
  switch (failure.name) {
    case 'TopupHttpError':
      return mayHideOrder(failure, echoed);
    case 'TopupResponseError':
      // If another field is invalid, the order was still created.
      return (
        failure.code !== 'INVALID_RESPONSE' || (operation === 'createOrder' && failure.path === '$.orderId')
      );
    case 'TopupUsageError':
      return false;
    default:
      return failure.sent !== false;
  }
}

/** Tells whether an order may exist despite an error response. */
function mayHideOrder({ status, code }: TopupHttpError, echoed: boolean): boolean {
  if (echoed && nothingCreated.includes(code)) return false;
  // A redirect after a POST may point to a page of the new order. The status is 0 if a browser hides the redirect.
  return (
    (status >= 500 && status !== 503) ||
    [0, 302, 303, 408].includes(status) ||
    code === 'IDEMPOTENCY_IN_FLIGHT'
  );
}

/**
 * Tells whether an error response that repeats the key also proves the outcome of earlier attempts. The service looks up the key before it
 * validates the order, but after it checks API key, rate limit and size (open points, Errors: order of checks). A 409 without a code may
 * mean that an earlier attempt is still in progress.
 */
const settlesEarlier = (failure: UnknownOutcomeCause): boolean =>
  ('status' in failure && [404, 422].includes(failure.status)) ||
  ['IDEMPOTENCY_CONFLICT', 'IDEMPOTENCY_KEY_USED', 'INVALID_RESPONSE'].includes(failure.code);
