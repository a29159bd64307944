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
  /** Whether an attempt may have reached the server; false when nothing was sent. */
  declare readonly sent: boolean;

  constructor(facts: RequestFacts, cause: unknown) {
    const attempts = facts.attempts + facts.earlierAttempts;
    const progress = attempts ? ` (attempts: ${attempts}${facts.progress}).` : '. Nothing was sent.';
    super(`${requestLine(facts)} was aborted by its signal${progress}`, facts, { cause, sent: attempts > 0 });
  }
}
