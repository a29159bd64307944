import { type CallMetadata, TopupError } from './topup-error.ts';

/**
 * The kind of invalid value. `INVALID_PATH_PARAMETER` means a slug or an order id. `UNSUPPORTED_ENVIRONMENT` means that
 * the environment lacks globals such as `Request`, as Jest's jsdom does; the message names them.
 */
export type UsageErrorCode =
  | 'UNSUPPORTED_ENVIRONMENT'
  | 'INVALID_BASE_URL'
  | 'INVALID_API_KEY'
  | 'API_KEY_IN_BROWSER'
  | 'INVALID_OPTION'
  | 'INVALID_HEADER'
  | 'INVALID_PATH_PARAMETER'
  | 'INVALID_IDEMPOTENCY_KEY'
  | 'INVALID_REQUEST'
  | 'INVALID_PROXY_OPTION'
  | 'INVALID_WEBHOOK_SECRET'
  | 'HOOK_FAILED';

/**
 * An option or an argument is invalid, the environment lacks what the client needs, or one of your hooks threw. `createTopupClient` throws
 * this error; methods reject with it. For an invalid value, nothing was sent. If a hook threw, `attempts` counts the attempts before it.
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

  constructor(code: UsageErrorCode, message: string, metadata: CallMetadata = {}, cause?: unknown) {
    const { operation, attempts, earlierAttempts } = metadata;
    const unsent = operation && !attempts && !earlierAttempts ? ' Nothing was sent.' : '';
    super(message + unsent, metadata, { code, cause });
  }
}
