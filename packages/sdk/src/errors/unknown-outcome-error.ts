import type { TopupAbortError } from './abort-error.ts';
import type { TopupHttpError } from './http-error.ts';
import type { TopupNetworkError } from './network-error.ts';
import type { TopupResponseError } from './response-error.ts';
import type { TopupTimeoutError } from './timeout-error.ts';
import { type RequestFacts, requestLine, TopupError } from './topup-error.ts';
import type { TopupUsageError } from './usage-error.ts';

/** What an attempt can end in; a hook that threw before a later attempt is a `TopupUsageError`. */
export type UnknownOutcomeCause =
  | TopupHttpError
  | TopupResponseError
  | TopupNetworkError
  | TopupTimeoutError
  | TopupAbortError
  | TopupUsageError;

/**
 * Whether the order was made is unknown: it was sent, and no answer says what became of it (source: ours).
 * `cause` tells why. Where the service honours `Idempotency-Key` (`retryable` is then true), call again with
 * `error.idempotencyKey` while the service keeps it (24 hours here): it makes no second order. Anywhere else look whether the order is there before you
 * order anew.
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
  declare readonly cause: UnknownOutcomeCause;
  declare readonly idempotencyKey: string;

  constructor(facts: RequestFacts, details: { cause: UnknownOutcomeCause; retryable: boolean }) {
    const { cause, retryable } = details;
    const reason = 'status' in cause ? `${cause.status} ${cause.code}` : cause.code;
    super(
      `${requestLine(facts)}: whether the order was made is unknown (${reason}). ` +
        (retryable
          ? 'Call again'
          : 'Look for the order first. Only a service that honours the key may be called again') +
        ` with idempotencyKey '${facts.idempotencyKey}'.`,
      facts,
      details,
    );
  }

  override toJSON(): Record<string, unknown> {
    return { ...super.toJSON(), cause: this.cause.toJSON() };
  }
}
