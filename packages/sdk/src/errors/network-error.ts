import { type RequestFacts, requestLine, TopupError } from './topup-error.ts';

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
  /** Whether the last attempt may have reached the server; false when no connection was made. */
  declare readonly sent: boolean;

  constructor(
    facts: RequestFacts,
    details: { cause: unknown; systemCode: string | undefined; sent: boolean },
  ) {
    super(
      `${requestLine(facts)} got no complete response from ${facts.origin} (${details.systemCode ?? 'see error.cause'}). ` +
        'Check that it is up and reachable.',
      facts,
      details,
    );
  }
}
