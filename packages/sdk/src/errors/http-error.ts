import type { KnownHttpErrorCode } from './error-codes.ts';
import { type OperationName, type RequestMetadata, requestLine, TopupError } from './topup-error.ts';

/**
 * The server's own error code if it sends one (`X-Error-Code`, else `error_code` of the body). Otherwise a code by status: `UNAUTHORIZED`
 * 401, `FORBIDDEN` 403, `NOT_FOUND` 404, `VALIDATION_ERROR` 422 with `errors`, `REJECTED` any other 422 and a 2xx with `success: false`,
 * `RATE_LIMITED` 429, `UNAVAILABLE` 503, `SERVER_ERROR` any other 5xx, `HTTP_ERROR` everything else (error bodies: interface 7.1).
 */
export type HttpErrorCode = KnownHttpErrorCode | (string & {});

/** The content of an error response. */
export interface HttpErrorDetails {
  status: number;
  code: HttpErrorCode;
  serverMessage: string | undefined;
  orderId: string | undefined;
  fields: Record<string, string[]> | undefined;
  body: unknown;
  retryAfter: number | undefined;
  retryable: boolean;
}

/** Operations that the interface doesn't define, so that a service may lack them. */
const extensions: readonly OperationName[] = ['listOrders', 'listEvents', 'checkAccount'];

function nextStep(
  { operation, origin, basePath, path, keyAdvice }: RequestMetadata,
  { status, code, serverMessage, fields, retryable, body }: HttpErrorDetails,
  location = '',
): string {
  if (typeof body === 'string' && /^\s*</.test(body)) return "The body is a proxy's page: check baseUrl.";
  if (retryable) return 'Try again later.';
  if (fields) return 'Correct the fields in error.fields.';
  if (code === 'IDEMPOTENCY_CONFLICT') return 'Use another idempotencyKey.';
  if (status === 401) return keyAdvice;
  if (status === 404 && basePath && /^(ROUTE_)?NOT_FOUND$/.test(code) && extensions.includes(operation))
    return 'The service may lack this extension.';
  if (
    status === 404 &&
    // The list of games can't name a missing game.
    (operation === 'listGames' ||
      code === 'ROUTE_NOT_FOUND' ||
      (code === 'NOT_FOUND' && !basePath && !serverMessage))
  ) {
    const missing = basePath ? '' : `: it has no path, which is often /api (${origin}/api)`;
    return `Nothing is at ${origin}${path}. Check ${operation === 'request' && basePath ? 'the path' : 'baseUrl'}${missing}.`;
  }
  if (status >= 400 || (status >= 200 && status < 300)) return 'Do not send the same request again.';
  return `Check baseUrl: it redirects${location ? ` to ${location}` : ''}, which is not followed.`;
}

/**
 * The server responded with an error status (interface 7), or with `success: false`.
 *
 * @example
 * ```ts
 * if (isTopupError(error, 'PROMO_QUOTA')) showMessage(error.serverMessage);
 * if (isTopupError(error, 'VALIDATION_ERROR')) showFields(error.fields ?? {});
 * if (isTopupError(error, 'UNAVAILABLE')) logger.warn(error.message, { server: error.headers.get('Server') });
 * ```
 */
export class TopupHttpError extends TopupError {
  override readonly name = 'TopupHttpError';
  declare readonly code: HttpErrorCode;
  declare readonly retryable: boolean;
  /** HTTP status; 0 when a browser hides a redirect. */
  declare readonly status: number;
  /** The `message` of the body, in the server's language. Show it to people; do not parse it. */
  declare readonly serverMessage: string | undefined;
  /** The id of the order in the response, such as the order placed with the key for `IDEMPOTENCY_KEY_USED` (a Topup Kit extension). */
  declare readonly orderId: string | undefined;
  /** Error messages by field after a failed validation (interface 7.1); undefined for other errors. */
  declare readonly fields: Record<string, string[]> | undefined;
  /** The body: parsed if it is JSON, else text; undefined if it is empty or cut off. `toJSON` omits it. */
  declare readonly body: unknown;
  /** The headers of the response. `toJSON` omits them, because a service may send cookies. */
  declare readonly headers: Headers;
  /** The delay that the server requests before a retry, in milliseconds (`Retry-After`, else the rate-limit headers). */
  declare readonly retryAfter: number | undefined;

  /** `location` is the target of a redirect. */
  constructor(metadata: RequestMetadata, details: HttpErrorDetails, location?: string) {
    const { status, code, serverMessage } = details;
    const reason = serverMessage === undefined ? '.' : `: ${serverMessage.replace(/(?<![.!?])$/, '.')}`;
    super(
      `${requestLine(metadata)} failed with ${status} ${code}${reason} ${nextStep(metadata, details, location)}`,
      metadata,
      { ...details, headers: metadata.responseHeaders?.() },
    );
  }
}
