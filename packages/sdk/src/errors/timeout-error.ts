import { type RequestFacts, requestLine, TopupError } from './topup-error.ts';

/**
 * There was no complete response (including its body) within `timeout`, or within the rest of `totalTimeout`. If your
 * own signal ends the call, also an `AbortSignal.timeout()`, the error is a `TopupAbortError` instead.
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
  /** Time limit of the last attempt, in milliseconds. */
  declare readonly timeout: number;
  /** Whether the last attempt may have reached the server; false when a hook used up all the time. */
  declare readonly sent: boolean;

  constructor(facts: RequestFacts, details: { timeout: number; sent: boolean }) {
    super(
      `${requestLine(facts)} got no complete response within ${Math.round(details.timeout)} ms. ` +
        'Raise timeout or totalTimeout to wait longer.',
      facts,
      details,
    );
  }
}
