import { TopupError } from './topup-error.ts';

/** The check that a webhook failed. `STALE_WEBHOOK`: its time differs too much from yours, as in a replayed webhook. */
export type WebhookErrorCode =
  | 'MISSING_WEBHOOK_HEADER'
  | 'STALE_WEBHOOK'
  | 'INVALID_WEBHOOK_SIGNATURE'
  | 'INVALID_WEBHOOK_BODY';

/**
 * `verifyWebhook` found that a request is not a webhook of your service. Respond with a 400. The service repeats a genuine webhook later.
 *
 * @example
 * ```ts
 * if (isTopupError(error) && error.name === 'TopupWebhookError') logger.warn(error.message, { code: error.code });
 * ```
 */
export class TopupWebhookError extends TopupError {
  override readonly name = 'TopupWebhookError';
  declare readonly code: WebhookErrorCode;
  override readonly retryable = false;

  constructor(code: WebhookErrorCode, message: string, cause?: unknown) {
    super(message, {}, { code, cause });
  }
}
