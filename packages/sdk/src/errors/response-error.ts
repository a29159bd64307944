import { type RequestMetadata, requestLine, TopupError } from './topup-error.ts';

/** The problem with the body of a successful response. */
export type ResponseErrorCode =
  | 'EMPTY_BODY'
  | 'NOT_JSON'
  | 'NOT_AN_OBJECT'
  | 'INVALID_RESPONSE'
  | 'RESPONSE_TOO_LARGE';

/** The content of an unusable response. */
export interface ResponseErrorDetails {
  code: ResponseErrorCode;
  retryable: boolean;
  status: number;
  contentType: string | undefined;
  path: string | undefined;
  body: unknown;
  cause?: unknown;
}

/**
 * The server responded with a 2xx status, but the body is not valid: it is empty, cut off, HTML, an order without its id, or, with strict
 * validation, a body with a field of the wrong type.
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
  /** The `Content-Type` of the response. `text/html` often means that `baseUrl` is the URL of a page. */
  declare readonly contentType: string | undefined;
  /** JSON path of the wrong field, such as `$.games[3].title`; only with `INVALID_RESPONSE`. */
  declare readonly path: string | undefined;
  /** The body: parsed if it is JSON, else text. `toJSON` omits it. */
  declare readonly body: unknown;
  /** The headers of the response. `toJSON` omits them, because a service may send cookies. */
  declare readonly headers: Headers;

  /** `fault` describes the problem, `advice` the next step. */
  constructor(metadata: RequestMetadata, fault: string, advice: string, details: ResponseErrorDetails) {
    super(`${requestLine(metadata)} returned ${details.status} with ${fault}. ${advice}`, metadata, {
      ...details,
      headers: metadata.responseHeaders?.(),
    });
  }
}
