import { afterUnknownOutcome, type RequestFacts, where } from '../request-facts.ts';
import { TopupError } from './topup-error.ts';

/** The system's code, such as `ECONNREFUSED`; runtimes put it some causes deep. */
function systemCode(cause: unknown): string | undefined {
  if (!(cause instanceof Error)) return undefined;
  if ('code' in cause && typeof cause.code === 'string' && /^[A-Z][A-Z\d_]*$/.test(cause.code))
    return cause.code;
  return systemCode(cause.cause);
}

/**
 * No answer, or not all of it: refused, cut, no such host, or the custom `fetch` threw, which is the `cause`
 * (source: ours). For `orders.create` the order may exist.
 *
 * @example
 * ```ts
 * if (isTopupError(error, 'NETWORK_ERROR')) logger.error(error.message, error.cause);
 * ```
 */
export class TopupNetworkError extends TopupError {
  override readonly name = 'TopupNetworkError';
  override readonly code = 'NETWORK_ERROR';

  constructor(cause: unknown, facts: RequestFacts) {
    const reason = systemCode(cause) ?? 'the reason is in error.cause';
    super(
      `${where(facts)} got no whole answer from ${facts.origin} (${reason}). ` +
        `Check that the server is up and reachable. ${afterUnknownOutcome(facts)}`,
      { ...facts, cause },
    );
  }
}
