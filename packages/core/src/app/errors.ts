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
import { type Answer, jsonAnswer } from './http.ts';

/** An error whose response says more in its headers: when to come back, what is allowed. */
export class RefusalWithHeaders<Code extends ErrorCode = ErrorCode> extends Refusal<Code> {
  readonly headers: Record<string, string>;

  constructor(code: Code, headers: Record<string, string>, ...details: ErrorArguments<Code>) {
    super(code, ...details);
    this.headers = headers;
  }
}

/** The response to a request that failed, from the one table of errors. */
export function errorAnswer(error: Refusal, shape: ErrorShape, settings: LocaleSettings): Answer {
  const { status, retryAfter }: ErrorDefinition = errors[error.code];
  return jsonAnswer(status, errorBody(error, shape, settings), {
    ...(retryAfter !== undefined && { [headers.retryAfter]: String(retryAfter) }),
    ...(error instanceof RefusalWithHeaders && error.headers),
    [headers.errorCode]: error.code,
  });
}
