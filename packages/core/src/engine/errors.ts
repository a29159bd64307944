import type { ErrorCode, FieldErrors } from '../contract/index.ts';

/** The values of the placeholders in an error's message: texts, or amounts of money. */
export type Words = Record<
  string,
  string | { money: number } | { subject: 'game' | 'product' | 'paymentMethod' }
>;

/** Why a request is rejected. The error table has the status, body and message of its `code`. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly code: ErrorCode;
  readonly words: Words;
  readonly fields: FieldErrors | undefined;

  constructor(code: ErrorCode, details: { words?: Words; fields?: FieldErrors; cause?: unknown } = {}) {
    super(code, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    this.words = details.words ?? {};
    this.fields = details.fields;
  }
}

/** The error for fields that break their rules. */
export const invalidFields = (fields: FieldErrors): Refusal => new Refusal('VALIDATION_ERROR', { fields });
