import {
  type ErrorArguments,
  type ErrorCode,
  type ErrorDefinition,
  type ErrorShape,
  errorBody,
  errors,
  headers,
  type LocaleSettings,
} from '../contract/index.ts';
import { Refusal } from '../engine/index.ts';
import { jsonAnswer, type PlainResponse } from './http.ts';

/** An error with response headers of its own, such as `Allow` or `Retry-After`. */
export class RefusalWithHeaders<Code extends ErrorCode = ErrorCode> extends Refusal<Code> {
  readonly headers: Record<string, string>;

  constructor(code: Code, headers: Record<string, string>, ...details: ErrorArguments<Code>) {
    super(code, ...details);
    this.headers = headers;
  }
}

/** The response for an error, from the error table. */
export function errorAnswer(error: Refusal, shape: ErrorShape, settings: LocaleSettings): PlainResponse {
  const { status, retryAfter }: ErrorDefinition = errors[error.code];
  return jsonAnswer(status, errorBody(error, shape, settings), {
    ...(retryAfter !== undefined && { [headers.retryAfter]: String(retryAfter) }),
    ...(error instanceof RefusalWithHeaders && error.headers),
    [headers.errorCode]: error.code,
  });
}
