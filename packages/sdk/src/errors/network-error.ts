import { type RequestFacts, requestLine, TopupError } from './topup-error.ts';

/**
 * No answer, or not all of it: refused, cut, no such host, or the custom `fetch` threw, which is the `cause`
 * (source: ours).
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
  /** The system's code, such as `ECONNREFUSED`; undefined where the runtime tells none, as in browsers. */
  declare readonly systemCode: string | undefined;
  /** Whether the last attempt may have reached the server; false when there was no connection at all. */
  declare readonly sent: boolean;

  constructor(
    facts: RequestFacts,
    details: { cause: unknown; systemCode: string | undefined; sent: boolean },
  ) {
    super(
      `${requestLine(facts)} got no whole answer from ${facts.origin} (${details.systemCode ?? 'see error.cause'}). ` +
        'Check that it is up and reachable.',
      facts,
      details,
    );
  }
}
