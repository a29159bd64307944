import type * as z from 'zod/mini';
import { type ErrorBody, type ErrorCode, errorSchemas, errorShapes, kitDialect } from '../contract/index.ts';
import { expectAt, expectHeader, expectStatus, readAt } from './check.ts';
import type { Citation } from './citation.ts';
import type { Answer, Probe } from './probe.ts';

const codeHeader: Citation = 'open-points Errors/Every-error-carries-its-code-in';

/** An error as the open points have it: status, code and the whole body. */
export interface ExpectedRefusal {
  status: number;
  code: ErrorCode;
  body: ErrorBody;
}

/** Reads the body that the service's dialect gives an error. */
export function readError(
  probe: Pick<Probe, 'note'>,
  answer: Answer,
  code: ErrorCode,
  by: Citation,
): ErrorBody {
  const schema: z.ZodMiniType<ErrorBody> = errorSchemas[errorShapes(answer.dialect)(code)];
  return readAt(probe, answer, { schema, rows: () => by });
}

export function expectRefusal(answer: Answer, { status, code, body }: ExpectedRefusal, by: Citation): void {
  expectStatus(answer, status, by);
  if (errorShapes(answer.dialect)(code) === errorShapes(kitDialect)(code)) expectAt(answer, '', body, by);
  else {
    readError({ note: () => {} }, answer, code, by);
    expectAt(answer, 'message', body.message, by);
  }
  expectHeader(answer, 'X-Error-Code', code, codeHeader);
}

/** A body of the business shape (interface 7.1) in words of the open points. */
export const business = (status: number, code: ErrorCode, message: string): ExpectedRefusal => ({
  status,
  code,
  body: { success: false, message },
});

/** A validation failure with one message. */
export const invalidField = (
  field: string,
  message: string,
  code: ErrorCode = 'VALIDATION_ERROR',
): ExpectedRefusal => ({
  status: 422,
  code,
  body: { message, errors: { [field]: [message] } },
});

export const unauthorized: ExpectedRefusal = {
  status: 401,
  code: 'UNAUTHORIZED',
  body: { message: 'Unauthorized' },
};
export const gameNotFound = business(404, 'GAME_NOT_FOUND', 'Game tidak ditemukan.');
export const productNotFound = business(404, 'PRODUCT_NOT_FOUND', 'Produk tidak ditemukan.');
export const methodNotFound = business(404, 'PAYMENT_METHOD_NOT_FOUND', 'Metode pembayaran tidak ditemukan.');
export const invoiceNotFound = business(404, 'INVOICE_NOT_FOUND', 'Invoice tidak ditemukan.');
export const mismatch = business(
  422,
  'PRODUCT_GAME_MISMATCH',
  'Produk tidak sesuai dengan game yang dipilih.',
);
export const promoNotFound = business(422, 'PROMO_NOT_FOUND', 'Kode promo tidak ditemukan.');

/** The codes and ids of nothing, which every catalogue leaves free. */
export const nothing = {
  game: 'no-such-game-at-all',
  productId: 2_000_000_001,
  methodId: 2_000_000_001,
  promoCode: 'NO-SUCH-PROMO',
  orderId: 'INV-20200101000000-AAAAAAAA',
} as const;
