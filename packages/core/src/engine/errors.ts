import type { ErrorArguments, ErrorCode, FieldErrors, Localised, MessageParam } from '../contract/index.ts';

/** Values for the placeholders in an error's message. */
export type MessageParams = Readonly<Record<string, MessageParam>>;

/** The reason for rejecting a request. The error table has the status, body and message of its `code`. */
export class DomainError<Code extends ErrorCode = ErrorCode> extends Error {
  override readonly name = 'DomainError';
  readonly code: ErrorCode;
  readonly params: MessageParams;
  readonly fields: FieldErrors | undefined;
  /** For the log, the id of the order whose creation failed or that the error names. */
  orderId: string | null;

  constructor(code: Code, ...[details]: ErrorArguments<Code>);
  constructor(
    code: ErrorCode,
    details: { params?: MessageParams; fields?: FieldErrors; cause?: unknown } = {},
  ) {
    super(code, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    this.params = details.params ?? {};
    this.fields = details.fields;
    const { orderId } = this.params;
    this.orderId = typeof orderId === 'string' ? orderId : null;
  }
}

/** Creates the error for fields that break their rules. */
export const invalidFields = (fields: FieldErrors): DomainError =>
  new DomainError('VALIDATION_ERROR', { fields });

/** Functions that format an amount (integer in the smallest unit) and a time (unix milliseconds) for the reader. */
export interface Formats {
  money: (amount: number) => string;
  time: (moment: number) => string;
}

/** The reason for rejecting an operator's command, in words for operators. */
export abstract class OperatorError extends Error {
  abstract readonly words: (show: Formats) => Localised;
}

/** Explains why the store rejects a promo that has more uses than its new quota. */
export const overusedWords = ({ code, uses }: { code: string; uses: number }): Localised => ({
  id: `Promo ${code} sudah dipakai ${uses} kali, lebih dari kuota barunya.`,
  en: `Promo ${code} was used ${uses === 1 ? 'once' : `${uses} times`} already, which is more than its new quota.`,
});
