import type { ErrorArguments, ErrorCode, FieldErrors, MessageParam } from '../contract/index.ts';

/** The value for each placeholder in an error's message. */
export type Words = Readonly<Record<string, MessageParam>>;

/** The reason why a request is rejected. The error table has the status, body and message of its `code`. */
export class Refusal<Code extends ErrorCode = ErrorCode> extends Error {
  override readonly name = 'Refusal';
  readonly code: ErrorCode;
  readonly words: Words;
  readonly fields: FieldErrors | undefined;

  constructor(code: Code, ...[details]: ErrorArguments<Code>);
  constructor(code: ErrorCode, details: { words?: Words; fields?: FieldErrors; cause?: unknown } = {}) {
    super(code, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    this.words = details.words ?? {};
    this.fields = details.fields;
  }
}

/** The error for fields that break their rules. */
export const invalidFields = (fields: FieldErrors): Refusal => new Refusal('VALIDATION_ERROR', { fields });
