import { type RequestFacts, requestLine, TopupError } from './topup-error.ts';

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
  /** Whether the last attempt may have reached the server. */
  declare readonly sent: boolean;

  constructor(facts: RequestFacts, details: { cause: unknown; sent: boolean }) {
    const unsent = facts.attempts + facts.earlierAttempts === 0 ? ' Nothing was sent.' : '';
    super(`${requestLine(facts)} was aborted by its signal.${unsent}`, facts, details);
  }
}
