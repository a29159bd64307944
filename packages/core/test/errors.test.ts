import { describe, expect, it } from 'vitest';
import { DomainErrorWithHeaders } from '../src/app/index.ts';
import {
  type ErrorCode,
  errorBody,
  errors,
  exampleError,
  type FieldErrors,
  locales,
  orderFields,
} from '../src/contract/index.ts';
import { DomainError } from '../src/features/index.ts';

const circumstances = {
  scope: 'orders:write',
  fields: orderFields,
  limits: { text: 255, quantity: 100, bodyBytes: 65_536 },
} as const;
const codes = Object.keys(errors) as ErrorCode[]; // Safe: these are the keys of a constant table.

describe('the table of errors', () => {
  it.each(codes)('has a value for each placeholder of %s in every language', (code) => {
    for (const locale of locales) {
      const { message } = errorBody(exampleError(code, circumstances), 'message', {
        locale,
        currency: 'IDR',
      });
      expect(message).toMatch(/^[^{}]+$/);
    }
  });
});

describe('the body of an error', () => {
  const inEnglish = { locale: 'en', currency: 'IDR' } as const;
  const body = { success: false, message: 'Game not found.' };

  it.each([
    ['message', { message: body.message }],
    ['business', body],
    ['validation', { message: body.message, errors: { game: [body.message] } }],
    ['envelope', { ...body, error_code: 'GAME_NOT_FOUND', errors: {} }],
  ] as const)('writes an error body in the shape %s', (shape, expected) => {
    expect(errorBody({ code: 'GAME_NOT_FOUND', params: {} }, shape, inEnglish)).toEqual(expected);
  });

  it('names no field in an error that is not about a field', () => {
    const { message, errors } = { message: 'Invoice not found.', errors: {} };
    const error = { code: 'INVOICE_NOT_FOUND', params: {} } as const;
    expect(errorBody(error, 'validation', inEnglish)).toEqual({ message, errors });
  });

  it.each(['validation', 'envelope'] as const)(
    'lists the failures of each field in the shape %s',
    (shape) => {
      const fields: FieldErrors = { product_id: [{ rule: 'required' }], email: [{ rule: 'email' }] };
      const error = { code: 'VALIDATION_ERROR', params: {}, fields } as const;
      expect(errorBody(error, shape, inEnglish)).toMatchObject({
        message: 'The product id field is required. (and 1 more error)',
        errors: {
          product_id: ['The product id field is required.'],
          email: ['The email field must be a valid email address.'],
        },
      });
    },
  );
});

describe('an example of an error', () => {
  const context = {
    ...circumstances,
    scope: 'catalog:read',
    limits: { ...circumstances.limits, bodyBytes: 9 },
  } as const;
  const messageOf = (code: ErrorCode): string =>
    errorBody(exampleError(code, context), 'message', { locale: 'en', currency: 'IDR' }).message;

  it("takes an error's example from its operation and limits", () => {
    expect(messageOf('FORBIDDEN')).toBe('This API key does not have the scope catalog:read.');
    expect(messageOf('PAYLOAD_TOO_LARGE')).toBe('The request body is larger than 9 bytes.');
    expect(messageOf('PROMO_MINIMUM')).toBe('The minimum purchase of Rp 50,000 is not met.');
  });

  it('names fields only in examples about fields', () => {
    expect(Object.keys(exampleError('VALIDATION_ERROR', context).fields ?? {})).toEqual([
      'id',
      'game',
      'product_id',
      'payment_method_id',
      'whatsapp',
    ]);
    expect(exampleError('MALFORMED_JSON', context).fields).toEqual({ body: [{ rule: 'json' }] });
    expect(exampleError('GAME_NOT_FOUND', context).fields).toBeUndefined();
  });
});

describe('raising an error', () => {
  it("compiles only with exactly the values of an error's message", () => {
    // @ts-expect-error: the values are missing.
    expect(new DomainError('PROMO_MINIMUM').code).toBe('PROMO_MINIMUM');
    // @ts-expect-error: a misspelt placeholder.
    expect(new DomainError('PROMO_MINIMUM', { params: { minimun: { money: 1 } } }).fields).toBeUndefined();
    // @ts-expect-error: a text instead of an amount.
    expect(new DomainError('PROMO_MINIMUM', { params: { minimum: '1' } }).fields).toBeUndefined();
    // @ts-expect-error: an error without placeholders.
    expect(new DomainError('PROMO_USED', { params: { code: 'A' } }).fields).toBeUndefined();
    // @ts-expect-error: a validation failure without the messages of its fields.
    expect(new DomainError('VALIDATION_ERROR').fields).toBeUndefined();
    // @ts-expect-error: the same with headers.
    expect(new DomainErrorWithHeaders('METHOD_NOT_ALLOWED', {}).headers).toEqual({});
    expect(new DomainError('PROMO_MINIMUM', { params: { minimum: { money: 1 } } }).params).toEqual({
      minimum: { money: 1 },
    });
  });
});

it('names a rejection, and sets its cause only if a cause exists', () => {
  const [plain, caused] = [
    new DomainError('GAME_NOT_FOUND'),
    new DomainError('SAVE_FAILED', { cause: 'disk' }),
  ];
  expect([plain.name, caused.cause]).toEqual(['DomainError', 'disk']);
  expect(plain).not.toHaveProperty('cause');
});
