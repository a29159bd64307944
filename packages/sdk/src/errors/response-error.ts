import { type RequestFacts, requestLine, TopupError } from './topup-error.ts';

/** What is wrong with the body of a successful answer. */
export type ResponseErrorCode = 'EMPTY_BODY' | 'NOT_JSON' | 'NOT_AN_OBJECT' | 'INVALID_RESPONSE';

/** A successful answer whose body cannot be used. */
export interface ResponseErrorDetails {
  code: ResponseErrorCode;
  retryable: boolean;
  status: number;
  contentType: string | undefined;
  requestId: string | undefined;
  path: string | undefined;
  body: unknown;
}

/**
 * The server answered 2xx, but not with the JSON that the contract promises: empty, cut off, HTML, an order
 * without its id, or, where answers are validated strictly, a field that is not as promised (source: ours).
 *
 * @example
 * ```ts
 * if (isTopupError(error, 'INVALID_RESPONSE')) logger.error(error.message, { path: error.path });
 * if (isTopupError(error, 'NOT_JSON')) logger.error(error.message, { contentType: error.contentType });
 * ```
 */
export class TopupResponseError extends TopupError {
  override readonly name = 'TopupResponseError';
  declare readonly code: ResponseErrorCode;
  declare readonly retryable: boolean;
  declare readonly status: number;
  /** The answer's `Content-Type`; `text/html` often means that `baseUrl` points at a page. */
  declare readonly contentType: string | undefined;
  /** The server's `X-Request-Id` (an extension). */
  declare readonly requestId: string | undefined;
  /** JSON path of the field that is not as promised, such as `$.games[3].title`; `INVALID_RESPONSE` alone has one. */
  declare readonly path: string | undefined;
  /** The body: parsed when it is JSON, else text. Not in `toJSON`. */
  declare readonly body: unknown;

  /** `fault` says what came instead, `advice` what to do next. */
  constructor(facts: RequestFacts, fault: string, advice: string, details: ResponseErrorDetails) {
    super(`${requestLine(facts)} answered ${details.status} with ${fault}. ${advice}`, facts, details);
  }
}
