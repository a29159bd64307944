import type { ErrorCode } from '@topup-kit/core/contract';
import { type RequestFacts, requestLine, TopupError } from './topup-error.ts';

/**
 * The server's own code when it sends one (`X-Error-Code`, else `error_code` of the body), else one by
 * status: `UNAUTHORIZED` 401, `FORBIDDEN` 403, `NOT_FOUND` 404, `VALIDATION_ERROR` 422 with `errors`, `REJECTED`
 * any other 422 and a 2xx that says `success: false`, `RATE_LIMITED` 429, `UNAVAILABLE` 503, `SERVER_ERROR` any
 * other 5xx, `HTTP_ERROR` the rest (source: ours; shapes: interface 7.1).
 */
export type HttpErrorCode = ErrorCode | 'NOT_FOUND' | 'REJECTED' | 'HTTP_ERROR' | (string & {});

/** An error answer, read. */
export interface HttpErrorDetails {
  status: number;
  code: HttpErrorCode;
  serverMessage: string | undefined;
  fields: Record<string, string[]> | undefined;
  body: unknown;
  requestId: string | undefined;
  retryAfter: number | undefined;
  retryable: boolean;
}

function nextStep({ status, fields, retryable }: HttpErrorDetails, location = ''): string {
  if (retryable) return 'Try again later.';
  if (fields) return 'Correct what error.fields names.';
  if (status === 401) return 'Check apiKey.';
  if (status >= 400 || (status >= 200 && status < 300)) return 'Do not send it again as it is.';
  return `Check baseUrl: it redirects ${location ? `to ${location}` : 'elsewhere'}, which is not followed.`;
}

/**
 * The server answered with an error status (interface 7), or with `success: false`.
 *
 * @example
 * ```ts
 * if (isTopupError(error, 'PROMO_QUOTA')) showMessage(error.serverMessage);
 * if (isTopupError(error, 'VALIDATION_ERROR')) showFields(error.fields);
 * ```
 */
export class TopupHttpError extends TopupError {
  override readonly name = 'TopupHttpError';
  declare readonly code: HttpErrorCode;
  declare readonly retryable: boolean;
  /** HTTP status; 0 where a browser hides a redirect. */
  declare readonly status: number;
  /** The body's `message`, in the server's language: for people, never to be parsed. */
  declare readonly serverMessage: string | undefined;
  /** Messages by field of a failed validation (interface 7.1); undefined for any other error. */
  declare readonly fields: Record<string, string[]> | undefined;
  /** The body: parsed when it is JSON, else text; undefined when empty or cut off. Not in `toJSON`. */
  declare readonly body: unknown;
  /** The server's `X-Request-Id`, to quote when you ask for help (an extension). */
  declare readonly requestId: string | undefined;
  /** How long the server asks to wait, in milliseconds (`Retry-After`, else the rate-limit headers). */
  declare readonly retryAfter: number | undefined;

  /** `location` is where a redirect leads. */
  constructor(facts: RequestFacts, details: HttpErrorDetails, location?: string) {
    const { status, code, serverMessage } = details;
    const said = serverMessage === undefined ? '.' : `: ${serverMessage.replace(/(?<![.!?])$/, '.')}`;
    super(
      `${requestLine(facts)} answered ${status} ${code}${said} ${nextStep(details, location)}`,
      facts,
      details,
    );
  }
}
