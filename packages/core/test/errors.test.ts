import { describe, expect, it } from 'vitest';
import { DomainErrorWithHeaders } from '../src/app/index.ts';
import {
  type ErrorCode,
  errorBody,
  errors,
  exampleError,
  locales,
  orderFields,
} from '../src/contract/index.ts';
import { DomainError } from '../src/engine/index.ts';

const circumstances = {
  scope: 'orders:write',
  fields: orderFields,
  limits: { text: 255, quantity: 100, bodyBytes: 65_536 },
} as const;
const codes = Object.keys(errors) as ErrorCode[]; // safe: the keys of a const table

describe('the table of errors', () => {
  it.each(codes)('has a value for each placeholder of %s, in every language', (code) => {
    for (const locale of locales) {
      const { message } = errorBody(exampleError(code, circumstances), 'message', {
        locale,
        currency: 'IDR',
      });
      expect(message).toMatch(/^[^{}]+$/);
    }
  });
});

describe('raising an error', () => {
  it('compiles only with exactly the values of its message', () => {
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
