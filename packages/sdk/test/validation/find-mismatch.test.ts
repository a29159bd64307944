import { operations } from '@topup-kit/core/contract';
import { describe, expect, it } from 'vitest';
import { findMismatch } from '../../src/validation/check-response.ts';
import { jsonPath, type Place, placesIn, replaced, valueAt } from './places.ts';
import { createSamples } from './samples.ts';

const samples = createSamples();
const optional = ['options', 'qr_string', 'qr_image_url', 'serial_number', 'failure_reason', 'refund_amount'];

const isOptional = (place: Place): boolean => optional.includes(String(place.at(-1)));
const isField = (place: Place): boolean => typeof place.at(-1) === 'string';

describe.each(operations)('the response of %s', (operation) => {
  const sample = samples[operation];
  const places = placesIn(sample);

  it('accepts a response that matches the contract', () => {
    expect(findMismatch(operation, sample)).toBeUndefined();
  });

  it('rejects a response that lacks a single field, and names the field', () => {
    for (const place of places.filter((one) => isField(one) && !isOptional(one)))
      expect(findMismatch(operation, replaced(sample, place, undefined))).toMatchObject({
        path: jsonPath(place),
        received: 'nothing',
      });
  });

  it('rejects a response if a single value has another type, and names the value', () => {
    for (const place of places) {
      const value = valueAt(sample, place);
      const other = typeof value === 'object' && value !== null ? 'Ayu' : ['Ayu'];
      expect(findMismatch(operation, replaced(sample, place, other))).toMatchObject({
        path: jsonPath(place),
        received: other === 'Ayu' ? 'string' : 'array',
      });
    }
  });

  it('accepts missing optional fields', () => {
    for (const place of places.filter(isOptional))
      expect(findMismatch(operation, replaced(sample, place, undefined))).toBeUndefined();
  });

  it('accepts unknown fields anywhere', () => {
    const objects = [[], ...places].filter((place) => {
      const value = valueAt(sample, place);
      return typeof value === 'object' && value !== null && !Array.isArray(value);
    });
    for (const place of objects)
      expect(
        findMismatch(operation, replaced(sample, [...place, 'discovered'], { later: 1 })),
      ).toBeUndefined();
  });

  it('requires a response to be an object', () => {
    for (const body of [null, [], 'text', 1, undefined])
      expect(findMismatch(operation, body)).toMatchObject({ path: '$', expected: 'object' });
  });
});

describe('a mismatch', () => {
  const order = (field: string, value: unknown) =>
    findMismatch('createOrder', replaced(samples.createOrder, ['data', field], value));

  it('returns the expected and the received type', () => {
    expect(order('total_price', '40000')).toEqual({
      path: '$.data.total_price',
      expected: 'integer',
      received: 'string',
    });
    expect(order('payment_code', ['A'])).toMatchObject({ expected: 'string', received: 'array' });
    expect(order('pricing', 'free')).toMatchObject({ expected: 'object', received: 'string' });
    expect(order('expired_at', null)).toMatchObject({ expected: 'string', received: 'null' });
    expect(order('quantity', 1.5)).toMatchObject({ expected: 'integer', received: 'number' });
    expect(order('quantity', 2 ** 53)).toMatchObject({ received: 'number' });
    expect(order('buy_status', 3)).toMatchObject({ received: 'integer' });
    expect(order('buy_status', false)).toMatchObject({ received: 'boolean' });
    expect(order('buy_status', {})).toMatchObject({ received: 'object' });
  });

  it('tells whether null or a missing value is allowed as well', () => {
    expect(order('qr_url', undefined)).toMatchObject({ expected: 'string or null', received: 'nothing' });
    const invoice = replaced(samples.getInvoice, ['order', 'serial_number'], null);
    expect(findMismatch('getInvoice', invoice)).toEqual({
      path: '$.order.serial_number',
      expected: 'string or nothing',
      received: 'null',
    });
    const product = replaced(samples.getGame, ['data', 'products', 0, 'category'], 'Diamonds');
    expect(findMismatch('getGame', product)?.expected).toBe('object or null');
  });

  it('finds a mismatch in a 200 without success', () => {
    expect(findMismatch('listGames', replaced(samples.listGames, ['success'], false))).toEqual({
      path: '$.success',
      expected: 'true',
      received: 'boolean',
    });
  });

  it('never returns values, which may be personal data', () => {
    for (const operation of operations)
      for (const place of placesIn(samples[operation]))
        for (const secret of ['081234567890', { '081234567890': 1 }, ['081234567890'], 81234567890.5])
          expect(
            JSON.stringify(findMismatch(operation, replaced(samples[operation], place, secret)) ?? {}),
          ).not.toContain('81234567890');
  });

  it('returns the first mismatch in the sequence of the fields, even after many items', () => {
    const [game] = samples.listGames.games;
    const [popular] = samples.listGames.populerGames;
    const body = {
      populerGames: [{ ...popular, id: null }],
      games: [game, game, game, { ...game, sort: '1', title: 7 }],
      success: true,
    };
    expect(findMismatch('listGames', body)?.path).toBe('$.games[3].title');
  });
});

describe('enum values', () => {
  it('accepts unknown enum values', () => {
    const named = ['payment_status', 'buy_status', 'discount_type', 'group', 'type', 'name'];
    for (const operation of operations)
      for (const place of placesIn(samples[operation]).filter((one) => named.includes(String(one.at(-1)))))
        expect(findMismatch(operation, replaced(samples[operation], place, 'Ditunda'))).toBeUndefined();
  });

  it('requires enum values to be strings', () => {
    const body = replaced(samples.getPaymentStatus, ['data', 'payment_status'], 1);
    expect(findMismatch('getPaymentStatus', body)?.path).toBe('$.data.payment_status');
  });
});

it('accepts responses on a page that extends Object.prototype', () => {
  Reflect.set(Object.prototype, 'extended', 'by a page');
  const found = findMismatch('listGames', samples.listGames);
  Reflect.deleteProperty(Object.prototype, 'extended');
  expect(found).toBeUndefined();
});
