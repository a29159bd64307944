import type { ErrorCode } from '@topup-kit/core/contract';
import { afterUnknownOutcome, type RequestFacts, where } from '../request-facts.ts';
import { TopupError } from './topup-error.ts';

/**
 * The server's own code when it sends one (`X-Error-Code`, else `error_code` of the body), else one by
 * status: `UNAUTHORIZED` 401, `NOT_FOUND` 404, `VALIDATION_ERROR` 422 with `errors`, `REJECTED` any other
 * 422, `RATE_LIMITED` 429, `SERVER_ERROR` 5xx, `HTTP_ERROR` the rest (source: ours; shapes: interface 7.1).
 */
export type HttpErrorCode = ErrorCode | 'NOT_FOUND' | 'REJECTED' | 'HTTP_ERROR' | (string & {});

/** An error answer, read. */
export interface HttpErrorAnswer {
  status: number;
  code: HttpErrorCode;
  serverMessage: string | undefined;
  fields: Record<string, string[]> | undefined;
  body: unknown;
  requestId: string | undefined;
}

function nextStep({ status, fields }: HttpErrorAnswer, facts: RequestFacts): string {
  if (status < 400)
    return 'Redirects are not followed, as they carry the key along: put the target in baseUrl.';
  if (status === 401) return 'Check apiKey.';
  if (status === 429) return 'Wait before you call again.';
  if (status >= 500) return afterUnknownOutcome(facts);
  return fields === undefined
    ? 'The same request will be refused again: correct it.'
    : 'Correct the fields named in error.fields.';
}

/**
 * The server answered with an error status (interface 7).
 *
 * @example
 * ```ts
 * if (isTopupError(error, 'PROMO_QUOTA')) showMessage(error.serverMessage);
 * if (isTopupError(error, 'VALIDATION_ERROR')) showFields(error.fields);
 * ```
 */
export class TopupHttpError extends TopupError {
  override readonly name = 'TopupHttpError';
  override readonly code: HttpErrorCode;
  /** HTTP status; 0 where a browser hides a redirect. */
  readonly status: number;
  /** The body's `message`, in the server's language: for people, never to be parsed. */
  readonly serverMessage: string | undefined;
  /** Messages by field of a failed validation (interface 7.1); undefined for any other error. */
  readonly fields: Record<string, string[]> | undefined;
  /** The body: parsed when it is JSON, else text; undefined when empty or cut off. Not in `toJSON`. */
  readonly body: unknown;
  /** The server's `X-Request-Id`, to quote when you ask for help (an extension). */
  readonly requestId: string | undefined;

  constructor(answer: HttpErrorAnswer, facts: RequestFacts) {
    const said =
      answer.serverMessage === undefined ? '.' : `: ${answer.serverMessage.replace(/(?<![.!?])$/, '.')}`;
    super(
      `${where(facts)} answered ${answer.status} ${answer.code}${said} ${nextStep(answer, facts)}`,
      facts,
    );
    this.code = answer.code;
    this.status = answer.status;
    this.serverMessage = answer.serverMessage;
    this.fields = answer.fields;
    this.body = answer.body;
    this.requestId = answer.requestId;
  }

  override toJSON(): Record<string, unknown> {
    return { ...super.toJSON(), status: this.status, requestId: this.requestId, fields: this.fields };
  }
}
