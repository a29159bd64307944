import { afterUnknownOutcome, type RequestFacts, where } from '../request-facts.ts';
import { TopupError } from './topup-error.ts';

/**
 * The `signal` that you handed in aborted; `cause` is its reason (source: ours). For `orders.create` the
 * order may exist, unless the message says that nothing was sent.
 *
 * @example
 * ```ts
 * if (isTopupError(error, 'ABORTED')) return;
 * ```
 */
export class TopupAbortError extends TopupError {
  override readonly name = 'TopupAbortError';
  override readonly code = 'ABORTED';

  constructor(reason: unknown, sent: boolean, facts: RequestFacts) {
    super(
      `${where(facts)} was aborted by its signal. ${sent ? afterUnknownOutcome(facts) : 'Nothing was sent.'}`,
      { ...facts, cause: reason },
    );
  }
}
