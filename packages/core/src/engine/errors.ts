import type { ErrorCode, FieldErrors } from '../contract/index.ts';

/** What the words in braces of an error's message stand for: texts, or amounts of money. */
export type Words = Record<
  string,
  string | { money: number } | { subject: 'game' | 'product' | 'paymentMethod' }
>;

/** Why the service does not do what was asked. `code` leads to status, body and message in the error table. */
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

/** A refusal for fields that break their rules. */
export const invalidFields = (fields: FieldErrors): Refusal => new Refusal('VALIDATION_ERROR', { fields });
