import { afterUnknownOutcome, type RequestFacts, where } from '../request-facts.ts';
import { TopupError } from './topup-error.ts';

/**
 * No whole answer within `timeout`, which covers the body (source: ours). A signal of your own that ends the
 * call, `AbortSignal.timeout()` too, gives a `TopupAbortError`. For `orders.create` the order may exist.
 *
 * @example
 * ```ts
 * if (isTopupError(error, 'TIMEOUT')) logger.warn(`slow: ${error.timeout} ms`);
 * ```
 */
export class TopupTimeoutError extends TopupError {
  override readonly name = 'TopupTimeoutError';
  override readonly code = 'TIMEOUT';
  /** The time that was allowed, in milliseconds. */
  readonly timeout: number;

  constructor(timeout: number, facts: RequestFacts) {
    super(
      `${where(facts)} had no whole answer within ${timeout} ms. ` +
        `Give it more with the timeout option. ${afterUnknownOutcome(facts)}`,
      facts,
    );
    this.timeout = timeout;
  }

  override toJSON(): Record<string, unknown> {
    return { ...super.toJSON(), timeout: this.timeout };
  }
}
