import { describe, expect, it } from 'vitest';
import { RefusalWithHeaders } from '../src/app/index.ts';
import {
  type ErrorCode,
  errorBody,
  errors,
  exampleError,
  locales,
  orderFields,
} from '../src/contract/index.ts';
import { Refusal } from '../src/engine/index.ts';

const context = {
  scope: 'orders:write',
  fields: orderFields,
  limits: { text: 255, quantity: 100, bodyBytes: 65_536 },
} as const;
const codes = Object.keys(errors) as ErrorCode[]; // safe: the keys of a const table

describe('the table of errors', () => {
  it.each(codes)('has a value for each placeholder of %s, in every language', (code) => {
    for (const locale of locales) {
      const { message } = errorBody(exampleError(code, context), 'message', {
        locale,
        currency: 'IDR',
      });
      expect(message).toMatch(/^[^{}]+$/);
    }
  });
});

describe('raising an error', () => {
  it('compiles only with the values of its message', () => {
    // @ts-expect-error: the values are missing.
    expect(new Refusal('PROMO_MINIMUM').code).toBe('PROMO_MINIMUM');
    // @ts-expect-error: a misspelt placeholder.
    expect(new Refusal('PROMO_MINIMUM', { words: { minimun: { money: 1 } } }).fields).toBeUndefined();
    // @ts-expect-error: text instead of an amount.
    expect(new Refusal('PROMO_MINIMUM', { words: { minimum: '1' } }).fields).toBeUndefined();
    // @ts-expect-error: an error without placeholders.
    expect(new Refusal('PROMO_USED', { words: { code: 'A' } }).fields).toBeUndefined();
    // @ts-expect-error: a validation failure without the messages of its fields.
    expect(new Refusal('VALIDATION_ERROR').fields).toBeUndefined();
    // @ts-expect-error: the same with headers.
    expect(new RefusalWithHeaders('METHOD_NOT_ALLOWED', {}).headers).toEqual({});
    expect(new Refusal('PROMO_MINIMUM', { words: { minimum: { money: 1 } } }).words).toEqual({
      minimum: { money: 1 },
    });
  });
});
