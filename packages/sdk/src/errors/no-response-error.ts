import { type RequestMetadata, requestLine, TopupError } from './topup-error.ts';

/**
 * No complete response arrived: the connection was refused or broken, the host was not found, or your `fetch` threw. `cause` is the
 * original error.
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
  /** True if the last attempt may have reached the server; false if no connection was made. */
  declare readonly sent: boolean;

  constructor(
    metadata: RequestMetadata,
    advice: string,
    details: { cause: unknown; systemCode: string | undefined; sent: boolean },
  ) {
    super(
      `${requestLine(metadata)} got no complete response from ${metadata.origin} (${details.systemCode ?? 'see error.cause'}). ` +
        advice,
      metadata,
      details,
    );
  }
}

/**
 * No complete response (including its body) arrived within `timeout`, or within the rest of `totalTimeout`. If your own signal ends the
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
  /** True if the last attempt may have reached the server; false if a hook used up the time. */
  declare readonly sent: boolean;

  constructor(metadata: RequestMetadata, details: { timeout: number; sent: boolean }) {
    super(
      `${requestLine(metadata)} got no complete response within ${Math.round(details.timeout)} ms. ` +
        'Raise timeout or totalTimeout.',
      metadata,
      details,
    );
  }
}

/**
 * Your `signal` aborted the call; `cause` is its reason. If an order had been sent, the call rejects with a `TopupUnknownOutcomeError`
 * instead, and this error is its cause.
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
  /** True if an attempt may have reached the server; false if nothing was sent. */
  declare readonly sent: boolean;

  constructor(metadata: RequestMetadata, cause: unknown) {
    const attempts = metadata.attempts + metadata.earlierAttempts;
    const progress = attempts ? ` (attempts: ${attempts}${metadata.progress}).` : '. Nothing was sent.';
    super(`${requestLine(metadata)} was aborted by its signal${progress}`, metadata, {
      cause,
      sent: attempts > 0,
    });
  }
}
