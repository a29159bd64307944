import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import * as z from 'zod/mini';
import { createProducts, isCutOff } from '../src/digiflazz/products.ts';
import { expiryOf, readChargeRequest } from '../src/midtrans/request.ts';
import { ControlError, createSequence, jsonObject, parseInput, wholeNumber, yes } from '../src/simulator.ts';
import { readCreateRequest } from '../src/tripay/request.ts';
import { createWorld } from '../src/world.ts';
import { start } from './helpers/simulators.ts';

describe("a new transaction of Tripay's documents", () => {
  const valid = {
    method: 'QRIS2',
    amount: 40_000,
    customer_name: 'Budi',
    customer_email: 'budi@shop.example',
    order_items: [{ name: '86 Diamonds', price: 40_000, quantity: 1 }],
    signature: 'aa',
  };
  const read = (changes: object) =>
    readCreateRequest(JSON.stringify({ ...valid, ...changes }), 'application/json');
  /** Characters that are two UTF-16 units each. */
  const gems = '💎'.repeat(255);

  it.each<[string, object]>([
    ['the least that it needs', {}],
    ['amounts as text', { amount: '40000', expired_time: '1777612200' }],
    ['a name of 255 characters', { customer_name: gems }],
    ['addresses', { callback_url: 'http://shop.example/a', return_url: 'https://shop.example/b' }],
  ])('accepts a transaction with %s', (_what, changes) => {
    expect(read(changes)).toMatchObject({ merchant_ref: '', amount: 40_000 });
  });

  it.each<[string, object, string]>([
    ['no method', { method: '' }, 'method is missing or not valid.'],
    ['a name of 256 characters', { customer_name: `${gems}x` }, 'customer_name is missing or not valid.'],
    ['a negative amount', { amount: -1 }, 'amount is missing or not valid.'],
    ['an amount with decimals', { amount: '1.5' }, 'amount is missing or not valid.'],
    ['no items', { order_items: [] }, 'order_items is missing or not valid.'],
    [
      'an item without a price',
      { order_items: [{ name: 'x', quantity: 1 }] },
      'order_items.0.price is missing or not valid.',
    ],
    ['another kind of address', { return_url: 'ftp://shop.example' }, 'return_url is missing or not valid.'],
    ['an e-mail address that is not a text', { customer_email: 1 }, 'customer_email must be of type string.'],
  ])('rejects a transaction with %s', (_what, changes, problem) => {
    expect(read(changes)).toBe(problem);
  });

  it('reads a form with ordered items, and ignores other brackets', () => {
    const form = new URLSearchParams({
      ...{ method: 'QRIS2', amount: '3', customer_name: 'Budi', customer_email: 'b@c', signature: 'aa' },
      ...{ 'order_items[0][name]': 'a', 'order_items[0][price]': '1', 'order_items[0][quantity]': '1' },
      ...{ 'order_items[1][name]': 'b', 'order_items[1][price]': '2', 'order_items[1][quantity]': '1' },
      'order_items[x][name]': 'c',
    });
    const type = 'application/x-www-form-urlencoded;charset=UTF-8';
    expect(readCreateRequest(String(form), type)).toMatchObject({
      amount: 3,
      order_items: [
        { name: 'a', price: 1, quantity: 1 },
        { name: 'b', price: 2, quantity: 1 },
      ],
    });
    expect(readCreateRequest(String(form), null)).toBe('The body must be of type object.');
  });
});

describe("a charge of Midtrans's documents", () => {
  const read = (changes: object) =>
    readChargeRequest(
      JSON.stringify({
        payment_type: 'qris',
        transaction_details: { order_id: 'INV-1', gross_amount: 40_000 },
        ...changes,
      }),
    );
  const hour = 3_600_000;

  it.each<[string, object, number]>([
    ['QRIS', {}, hour / 4],
    ['QRIS with its acquirer', { qris: { acquirer: 'airpay shopee' } }, hour / 4],
    ['a bank', { payment_type: 'bank_transfer', bank_transfer: { bank: 'bni' } }, 24 * hour],
    ['Mandiri', { payment_type: 'echannel' }, 24 * hour],
    ['a time in minutes', { custom_expiry: { expiry_duration: 30 } }, hour / 2],
    ['a time in seconds', { custom_expiry: { expiry_duration: 30, unit: 'second' } }, 30_000],
    ['a time in hours', { custom_expiry: { expiry_duration: 2, unit: 'hour' } }, 2 * hour],
    ['a time in days', { custom_expiry: { expiry_duration: 1, unit: 'day' } }, 24 * hour],
    ['an item with a name of 50 characters', { item_details: [{ name: '💎'.repeat(50) }] }, hour / 4],
    [
      'an order id of 50 characters',
      { transaction_details: { order_id: 'a-_~.'.repeat(10), gross_amount: 1 } },
      hour / 4,
    ],
  ])('accepts a charge with %s, and returns its payment time', (_what, changes, ms) => {
    const request = read(changes);
    expect(typeof request === 'string' ? request : expiryOf(request)).toBe(ms);
  });

  it.each<[string, object]>([
    ['an unknown type', { payment_type: 'gold' }],
    ['an unknown bank', { payment_type: 'bank_transfer', bank_transfer: { bank: 'xyz' } }],
    ['no bank', { payment_type: 'bank_transfer' }],
    ['no amount', { transaction_details: { order_id: 'INV-1', gross_amount: 0 } }],
    ['an order id of 51 characters', { transaction_details: { order_id: 'x'.repeat(51), gross_amount: 1 } }],
    ['an order id with a space', { transaction_details: { order_id: 'INV 1', gross_amount: 1 } }],
    ['an empty time', { custom_expiry: { expiry_duration: 0 } }],
    ['a time in weeks', { custom_expiry: { expiry_duration: 1, unit: 'week' } }],
    ['an item without a name', { item_details: [{ id: 'ML86' }] }],
    ['an item with a name of 51 characters', { item_details: [{ name: 'x'.repeat(51) }] }],
    ['an item with an id of 51 characters', { item_details: [{ id: 'x'.repeat(51), name: 'x' }] }],
  ])('rejects a charge with %s', (_what, changes) => {
    expect(read(changes)).toEqual(expect.any(String));
  });
});

describe('the input of a control route', () => {
  it.each<[string, unknown]>([
    ['{"a":1}', { a: 1 }],
    ['{}', {}],
    ['[]', undefined],
    ['null', undefined],
    ['"a"', undefined],
    ['1', undefined],
    ['{', undefined],
  ])('%s as an object', (body, expected) => {
    expect(jsonObject(body)).toEqual(expected);
  });

  it.each<[unknown, unknown]>([
    [
      { amount: 5, late: true },
      { amount: 5, late: true },
    ],
    [
      { amount: '5', late: 'true' },
      { amount: 5, late: true },
    ],
    [
      { amount: 0, late: 'false' },
      { amount: 0, late: false },
    ],
    [{ amount: -1, late: true }, 'amount is missing or not valid.'],
    [{ amount: '5x', late: true }, 'amount is missing or not valid.'],
    [{ amount: 5, late: true, more: 1 }, 'The body has unknown fields: more.'],
    [null, 'The body must be of type object.'],
  ])('reads or rejects the input %j', (input, expected) => {
    const read = (): unknown => parseInput(z.strictObject({ amount: wholeNumber, late: yes }), input);
    if (typeof expected !== 'string') expect(read()).toEqual(expected);
    else expect(read).toThrow(new ControlError(400, expected));
  });

  it('names the allowed values of a field', () => {
    const read = () => parseInput(z.object({ unit: z.enum(['day', 'hour']) }), { unit: 'week' });
    expect(read).toThrow('unit must be one of day, hour.');
  });
});

describe('the products of Digiflazz', () => {
  const at = (hours: number, minutes: number) => start - 12 * 3_600_000 + (hours * 60 + minutes) * 60_000;
  const product = createProducts()[0];

  it.each([
    [
      '0:0',
      '0:0',
      [
        [0, 0, false],
        [12, 0, false],
        [23, 59, false],
      ],
    ],
    [
      '1:30',
      '2:45',
      [
        [1, 29, false],
        [1, 30, true],
        [2, 44, true],
        [2, 45, false],
      ],
    ],
    [
      '23:30',
      '0:15',
      [
        [23, 29, false],
        [23, 30, true],
        [0, 14, true],
        [0, 15, false],
      ],
    ],
  ] as const)('cuts products off from %s to %s in Jakarta', (from, to, moments) => {
    if (!product) throw new Error('There is no product.');
    const cut = { ...product, start_cut_off: from, end_cut_off: to };
    for (const [hours, minutes, expected] of moments)
      expect([hours, minutes, isCutOff(cut, at(hours, minutes))]).toEqual([hours, minutes, expected]);
  });

  it('contains the games in the documentation, each with a separate rule', () => {
    expect(
      createProducts().map((item) => [
        item.buyer_sku_code,
        item.brand,
        item.category,
        item.multi,
        item.stock,
      ]),
    ).toEqual([
      ['ml86', 'MOBILE LEGENDS', 'Games', true, 0],
      ['ml172', 'MOBILE LEGENDS', 'Games', true, 0],
      ['ff70', 'FREE FIRE', 'Games', true, 0],
      ['pubgm60', 'PUBG MOBILE', 'Games', true, 0],
      ['mlwdp', 'MOBILE LEGENDS', 'Games', false, 0],
      ['gi60', 'GENSHIN IMPACT', 'Games', true, 5],
      ['xld10', 'XL', 'Pulsa', true, 0],
    ]);
  });
});

describe('the time of the simulators', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('runs due tasks automatically, with the earliest first', async () => {
    const world = createWorld(Date.now);
    const ran: string[] = [];
    world.at(Date.now() + 2_000, () => ran.push('second'));
    world.at(Date.now() + 1_000, () => ran.push('first'));
    await vi.advanceTimersByTimeAsync(999);
    expect(ran).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(ran).toEqual(['first']);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(ran).toEqual(['first', 'second']);
    expect(vi.getTimerCount()).toBe(0);
    world.close();
  });

  it('continues automatically after a move', async () => {
    const world = createWorld(Date.now);
    const ran: string[] = [];
    const real = Date.now();
    world.at(real + 60_000, () => ran.push('later'));
    await world.advance(59_000);
    expect([world.now() - real, ran]).toEqual([59_000, []]);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(ran).toEqual(['later']);
    world.close();
  });

  it('runs no task after its end, and releases waiting callers', async () => {
    const world = createWorld(Date.now);
    const ran: string[] = [];
    world.at(Date.now() + 1_000, () => ran.push('task'));
    const slept = vi.fn();
    void world.sleep(60_000).then(slept);
    world.close();
    void world.sleep(60_000).then(slept);
    world.at(Date.now(), () => ran.push('after'));
    await vi.advanceTimersByTimeAsync(120_000);
    expect([ran, slept.mock.calls.length, vi.getTimerCount()]).toEqual([[], 2, 0]);
  });

  it('returns different numbers', () => {
    const next = createSequence(createWorld(() => start));
    expect([next(), next()]).toEqual([`${start}0001`, `${start}0002`]);
  });
});
