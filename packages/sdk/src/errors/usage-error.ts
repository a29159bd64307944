import { type CallFacts, TopupError } from './topup-error.ts';

/** Which value cannot be used; `INVALID_PATH_PARAMETER` is a slug or an order id. */
export type UsageErrorCode =
  | 'INVALID_BASE_URL'
  | 'INVALID_API_KEY'
  | 'API_KEY_IN_BROWSER'
  | 'INVALID_OPTION'
  | 'INVALID_HEADER'
  | 'INVALID_PATH_PARAMETER'
  | 'INVALID_IDEMPOTENCY_KEY'
  | 'INVALID_REQUEST'
  | 'INVALID_PROXY_OPTION'
  | 'HOOK_FAILED';

/**
 * A value handed in cannot be used, or a hook of yours threw (source: ours). Nothing was sent, where the message
 * does not say otherwise.
 * `createTopupClient` throws it, a method rejects with it.
 *
 * @example
 * ```ts
 * try {
 *   createTopupClient({ baseUrl: 'shop.example' });
 * } catch (error) {
 *   if (isTopupError(error, 'INVALID_BASE_URL')) showMessage(error.message);
 * }
 * ```
 */
export class TopupUsageError extends TopupError {
  override readonly name = 'TopupUsageError';
  declare readonly code: UsageErrorCode;
  override readonly retryable = false;

  constructor(code: UsageErrorCode, message: string, facts: CallFacts = {}, cause?: unknown) {
    const { operation, attempts } = facts;
    const unsent = attempts ? '' : ' Nothing was sent.';
    super(operation ? `${operation}: ${message}${unsent}` : message, facts, { code, cause });
  }
}
