import { type RequestFacts, requestLine, TopupError } from './topup-error.ts';

/**
 * No whole answer within `timeout`, which covers the body, or within what was left of `totalTimeout` (source:
 * ours). A signal of your own that ends the call, `AbortSignal.timeout()` too, gives a `TopupAbortError`.
 *
 * @example
 * ```ts
 * if (isTopupError(error, 'TIMEOUT')) logger.warn(error.message, { timeout: error.timeout });
 * ```
 */
export class TopupTimeoutError extends TopupError {
  override readonly name = 'TopupTimeoutError';
  override readonly code = 'TIMEOUT';
  override readonly retryable = true;
  /** The time that the last attempt had, in milliseconds. */
  declare readonly timeout: number;
  /** Whether the last attempt may have reached the server; false when a hook took all the time. */
  declare readonly sent: boolean;

  constructor(facts: RequestFacts, details: { timeout: number; sent: boolean }) {
    super(
      `${requestLine(facts)} had no whole answer within ${Math.round(details.timeout)} ms. ` +
        'Raise timeout or totalTimeout to wait longer.',
      facts,
      details,
    );
  }
}
