import { afterUnknownOutcome, type RequestFacts, where } from '../request-facts.ts';
import { TopupError } from './topup-error.ts';

const faults = {
  EMPTY_BODY: 'an empty body',
  NOT_JSON: 'a body that is not JSON, or was cut off',
  NOT_AN_OBJECT: 'JSON that is not an object',
} as const;

/** What is wrong with the body of a successful answer. */
export type ResponseErrorCode = keyof typeof faults;

/** A successful answer whose body cannot be used. */
export interface ResponseErrorAnswer {
  code: ResponseErrorCode;
  status: number;
  contentType: string | undefined;
  requestId: string | undefined;
  body: string;
  cause?: unknown;
}

/**
 * The server answered 2xx, but not with the JSON object that the contract promises: empty, cut off, HTML
 * (source: ours). For `orders.create` the order may exist.
 *
 * @example
 * ```ts
 * if (isTopupError(error, 'NOT_JSON')) logger.error(error.contentType);
 * ```
 */
export class TopupResponseError extends TopupError {
  override readonly name = 'TopupResponseError';
  override readonly code: ResponseErrorCode;
  readonly status: number;
  /** The answer's `Content-Type`; `text/html` often means that `baseUrl` points at a page. */
  readonly contentType: string | undefined;
  /** The server's `X-Request-Id` (an extension). */
  readonly requestId: string | undefined;
  /** The body as text. Not in `toJSON`. */
  readonly body: string;

  constructor(answer: ResponseErrorAnswer, facts: RequestFacts) {
    super(
      `${where(facts)} answered ${answer.status} with ${faults[answer.code]} ` +
        `(${answer.contentType ?? 'no Content-Type'}). Check that baseUrl is the API's. ` +
        afterUnknownOutcome(facts),
      { ...facts, cause: answer.cause },
    );
    this.code = answer.code;
    this.status = answer.status;
    this.contentType = answer.contentType;
    this.requestId = answer.requestId;
    this.body = answer.body;
  }

  override toJSON(): Record<string, unknown> {
    const { status, contentType, requestId } = this;
    return { ...super.toJSON(), status, contentType, requestId };
  }
}
