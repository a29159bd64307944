import { type RequestMetadata, requestLine, TopupError } from './topup-error.ts';

/**
 * There was no complete response: the connection was refused or broken, the host was not found, or your `fetch` threw.
 * `cause` is the original error.
 *
 * @example
 * ```ts
 * if (isTopupError(error, 'NETWORK_ERROR')) logger.error(error.message, { reason: error.systemCode });
 * ```
 */
export class TopupNetworkError extends TopupError {
  override readonly name = 'TopupNetworkError';
  override readonly code = 'NETWORK_ERROR';
  override readonly retryable = true;
  /** The system error code, such as `ECONNREFUSED`; undefined if the runtime has none, as in browsers. */
  declare readonly systemCode: string | undefined;
  /** Whether the last attempt may have reached the server; false if no connection was made. */
  declare readonly sent: boolean;

  constructor(
    facts: RequestMetadata,
    advice: string,
    details: { cause: unknown; systemCode: string | undefined; sent: boolean },
  ) {
    super(
      `${requestLine(facts)} got no complete response from ${facts.origin} (${details.systemCode ?? 'see error.cause'}). ` +
        advice,
      facts,
      details,
    );
  }
}

/**
 * There was no complete response (including its body) within `timeout`, or within the rest of `totalTimeout`. If your own signal ends the
 * call, including an `AbortSignal.timeout()`, the error is a `TopupAbortError` instead.
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
  /** Whether the last attempt may have reached the server; false if a hook used up the time. */
  declare readonly sent: boolean;

  constructor(facts: RequestMetadata, details: { timeout: number; sent: boolean }) {
    super(
      `${requestLine(facts)} got no complete response within ${Math.round(details.timeout)} ms. ` +
        'Raise timeout or totalTimeout.',
      facts,
      details,
    );
  }
}

/**
 * Your `signal` aborted the call; `cause` is its reason. If an order had been sent, the call rejects with a
 * `TopupUnknownOutcomeError` instead, which has this error as its cause.
 *
 * @example
 * ```ts
 * if (isTopupError(error, 'ABORTED')) showMessage('Stopped.');
 * ```
 */
export class TopupAbortError extends TopupError {
  override readonly name = 'TopupAbortError';
  override readonly code = 'ABORTED';
  override readonly retryable = true;
  /** Whether an attempt may have reached the server; false if nothing was sent. */
  declare readonly sent: boolean;

  constructor(facts: RequestMetadata, cause: unknown) {
    const attempts = facts.attempts + facts.earlierAttempts;
    const progress = attempts ? ` (attempts: ${attempts}${facts.progress}).` : '. Nothing was sent.';
    super(`${requestLine(facts)} was aborted by its signal${progress}`, facts, { cause, sent: attempts > 0 });
  }
}
