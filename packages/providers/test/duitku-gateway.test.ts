import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { start, startSimulated } from '../../simulators/test/helpers/simulators.ts';
import { createDuitkuGateway } from '../src/duitku/adapter.ts';
import { createDuitkuCallbacks } from '../src/duitku/callback.ts';
import { methods } from '../src/duitku/methods.ts';
import type { DuitkuSettings } from '../src/duitku/settings.ts';
import {
  callbackSignature,
  methodsSignature,
  paymentSignature,
  statusSignature,
} from '../src/duitku/signature.ts';
import { callbackOf, minute, requestOf, signal, startFake } from './helpers/gateways.ts';

const settings = (baseUrl: string): DuitkuSettings => ({
  ...{ apiKey: 'key', merchantCode: 'D0001', baseUrl },
  ...{ fallbackEmail: 'orders@shop.example', publicUrl: 'https://shop.example' },
});
const createGateway = (baseUrl: string, changes: Partial<DuitkuSettings> = {}) =>
  createDuitkuGateway({ ...settings(baseUrl), ...changes }, { clock: () => start });

const { orderId, amount } = requestOf();
const find = (changes: object = {}) => ({ orderId, amount, ageMs: 0, ...changes });

describe('signatures of Duitku', () => {
  const facts = { merchantCode: 'D0001', orderId: 'ORDER1' };

  it('computes the published signatures of a payment, a status request and a callback, each with a separate sequence of parts', () => {
    expect(paymentSignature('key', { ...facts, amount: 40_000 })).toBe('dabae51f0e43b12f89ea4b60c56a326f');
    expect(statusSignature('key', facts)).toBe('2aff20e3341764f08b727cca7c861548');
    expect(callbackSignature('key', { ...facts, amount: '40000' })).toBe('0f61ff17ecd1730f4762309b84554471');
  });

  it('signs payment methods with a plain SHA-256', () => {
    const signed = { merchantCode: 'D0001', amount: 10_000, datetime: '2026-05-01 12:00:00' };
    expect(methodsSignature('key', signed)).toBe(
      createHash('sha256').update('D0001100002026-05-01 12:00:00key').digest('hex'),
    );
  });
});

describe('the Duitku gateway, against the simulator', () => {
  let duitku: Awaited<ReturnType<typeof startSimulated>>;
  let gateway: ReturnType<typeof createDuitkuGateway>;
  beforeEach(async () => {
    duitku = await startSimulated('duitku');
    gateway = createGateway(duitku.baseUrl);
  });
  afterEach(() => duitku[Symbol.asyncDispose]());

  const create = async (changes = {}) => {
    const created = await gateway.createPayment(requestOf(changes), signal);
    if ('rejected' in created) throw new Error(`rejected: ${created.rejected}`);
    return created;
  };
  const check = (reference: string) => gateway.checkPayment?.({ orderId, reference, amount }, signal);
  const requests = async (operation: string) =>
    (await duitku.calls()).filter((call: { operation: string }) => call.operation === operation);

  it('creates a QRIS payment with its QR code and the page', async () => {
    const qrString = expect.stringMatching(/^000201.*540540000.*6304[0-9A-F]{4}$/);
    expect(await create()).toEqual({
      reference: expect.stringMatching(/^D0001\d+$/),
      ...{ code: qrString, qrString, url: expect.stringContaining('/pay/duitku/') },
    });
    const [{ body }] = await requests('create');
    expect(JSON.parse(body)).toEqual({
      ...{ merchantCode: 'D0001', paymentAmount: 40_000, paymentMethod: 'SP', merchantOrderId: orderId },
      ...{ productDetails: '86 Diamonds', email: 'budi@shop.example', phoneNumber: '081234567890' },
      customerVaName: 'Budi',
      itemDetails: [{ name: '2 x 86 Diamonds', price: 40_000, quantity: 1 }],
      ...{ callbackUrl: 'https://shop.example/callback/duitku', returnUrl: 'https://shop.example' },
      ...{ expiryPeriod: 30, signature: expect.stringMatching(/^[0-9a-f]{32}$/) },
    });
  });

  it('creates a virtual account with its number, and a wallet with its page', async () => {
    const of = (code: string) => create({ orderId: `INV-${code}`, method: { code, group: 'x', name: code } });
    expect(await of('BRIVA')).toMatchObject({ code: expect.stringMatching(/^\d{16}$/), qrString: null });
    const page = expect.stringContaining('/pay/duitku/');
    expect(await of('DANA')).toMatchObject({ code: page, url: page, qrString: null });
  });

  it('sends the remaining time in whole minutes, and the return URL', async () => {
    const returnUrl = 'https://shop.example/orders/INV-1';
    await create({ expiresAt: start + 90_000, returnUrl });
    const customer = { phone: '081234567890', email: null, name: null };
    await create({ orderId: 'INV-2', expiresAt: start + 30_000, customer });
    const [one, other] = (await requests('create')).map(({ body }: { body: string }) => JSON.parse(body));
    expect(one).toMatchObject({ expiryPeriod: 1, returnUrl });
    expect(other).toMatchObject({
      ...{ expiryPeriod: 1, email: 'orders@shop.example', customerVaName: '081234567890' },
    });
  });

  it("shortens long names, including the customer's name for a bank", async () => {
    const customer = { phone: '081234567890', email: null, name: '💎'.repeat(30) };
    const items = [{ sku: null, name: 'é'.repeat(300), price: 20_000, quantity: 2 }];
    await create({ customer, items });
    const [{ body }] = await requests('create');
    const sent = JSON.parse(body);
    expect([sent.customerVaName, sent.productDetails]).toEqual(['💎'.repeat(20), 'é'.repeat(255)]);
    expect(sent.itemDetails[0].name).toBe(`2 x ${'é'.repeat(251)}`);
  });

  it('checks whether the key is right', async () => {
    await gateway.checkAccess?.(signal);
    await expect(createGateway(duitku.baseUrl, { apiKey: 'other' }).checkAccess?.(signal)).rejects.toThrow(
      'Duitku: POST /paymentmethod/getpaymentmethod got status 401: Wrong signature',
    );
  });

  it('explains the missing callback address, and requests no payment', async () => {
    const hidden = createGateway(duitku.baseUrl, { publicUrl: undefined });
    const needed = 'it requires a callback URL: set TOPUP_PUBLIC_URL.';
    expect(await hidden.createPayment(requestOf(), signal)).toEqual({ rejected: `Duitku: ${needed}` });
    await expect(hidden.checkAccess?.(signal)).rejects.toThrow(needed);
    expect(await duitku.calls()).toEqual([]);
  });

  it.each<[string, Partial<DuitkuSettings>, Parameters<typeof requestOf>[0], string]>([
    ['a wrong key', { apiKey: 'other' }, {}, 'status 401: Wrong signature'],
    ['another merchant', { merchantCode: 'D0002' }, {}, 'status 404: Merchant not found'],
    ['an unknown method', {}, { method: { code: 'X', group: 'QRIS', name: 'X' } }, 'X is not supported'],
    ['a long order id', {}, { orderId: 'I'.repeat(51) }, 'more than 50 characters'],
  ])('ignores a payment with %s', async (_what, changes, request, reason) => {
    const rejected = await createGateway(duitku.baseUrl, changes).createPayment(requestOf(request), signal);
    expect(rejected).toEqual({ rejected: expect.stringContaining(reason) });
    expect((await duitku.books()).payments).toEqual([]);
  });

  it("finds a payment with a lost response whose code Duitku can't show again, and never repeats the request", async () => {
    await duitku.fault('lost-response', { on: 'create' });
    await expect(create()).rejects.toThrow('may have been carried out');
    const { payments } = await duitku.books();
    expect(await gateway.findPayment(find(), signal)).toEqual({
      state: 'found',
      payment: { reference: payments[0].reference, unusable: expect.stringContaining('order again') },
    });
    expect(await gateway.findPayment(find({ amount: 40_001 }), signal)).toMatchObject({
      payment: { unusable: 'Duitku asks the customer for 40000 instead of 40001.' },
    });
    expect(await requests('create')).toHaveLength(1);
  });

  it("reports a missing payment only when its request can't create a payment any more", async () => {
    await duitku.fault('error-500', { on: 'create' });
    await expect(create()).rejects.toThrow('500');
    for (const ageMs of [0, 119_999])
      await expect(gateway.findPayment(find({ ageMs }), signal)).rejects.toThrow('may still create one');
    expect(await gateway.findPayment(find({ ageMs: 120_000 }), signal)).toEqual({ state: 'absent' });
    // It is the merchant that isn't found.
    const other = createGateway(duitku.baseUrl, { merchantCode: 'D0002' });
    await expect(other.findPayment(find({ ageMs: 120_000 }), signal)).rejects.toThrow('Merchant not found');
  });

  it('reports every status', async () => {
    const { reference } = await create();
    expect(await check(reference)).toEqual({ status: 'open' });
    await duitku.act('pay', { reference });
    expect(await check(reference)).toEqual({ status: 'paid', amount: 40_000, at: null });
    await expect(check('D0001X')).rejects.toThrow(`has the payment ${reference}, not D0001X`);
    const other = await create({ orderId: 'INV-2' });
    await duitku.advance(30 * 60);
    const question = { orderId: 'INV-2', reference: other.reference, amount };
    expect(await gateway.checkPayment?.(question, signal)).toEqual({
      ...{ status: 'expired', amount: 40_000, at: null },
    });
  });

  it.each([
    ['pay', 'paid'],
    ['fail', 'failed'],
  ])('reads a genuine callback after %s, which must be confirmed', async (action, status) => {
    const { reference } = await create();
    await duitku.act(action, { reference: orderId });
    await duitku.advance(0);
    const [received] = duitku.shop.received;
    expect(received?.headers['content-type']).toBe('application/x-www-form-urlencoded');
    expect(received && gateway.callbacks?.read(callbackOf(received))).toEqual({
      state: 'event',
      event: { reference, orderId, report: { status, amount: 40_000, at: null }, confirm: true },
    });
  });

  it("uses the paid amount from the status request instead of the order's amount", async () => {
    const { reference } = await create();
    await duitku.fault('wrong-amount');
    await duitku.act('pay', { reference });
    expect(await check(reference)).toEqual({ status: 'paid', amount: 39_999, at: null });
  });

  it("offers Duitku's methods with their payment times", () => {
    const method = (code: string) => ({ code, group: 'QRIS', name: code }) as const;
    expect([...methods.keys()].every((code) => gateway.supports?.(method(code)))).toBe(true);
    expect(gateway.supports?.(method('MUAMALATVA'))).toBe(false);
    expect(gateway.expiryLimits?.(method('QRIS2'))).toEqual({ min: minute, max: 60 * minute });
    expect(gateway.expiryLimits?.(method('BCAVA'))?.max).toBe(1_440 * minute);
    expect(gateway.expiryLimits?.(method('NONE'))).toEqual({});
  });
});

describe('the Duitku gateway, with nonsense responses', () => {
  let provider: Awaited<ReturnType<typeof startFake>>;
  let gateway: ReturnType<typeof createDuitkuGateway>;
  beforeEach(async () => {
    provider = await startFake();
    gateway = createGateway(provider.url, { apiKey: 'canary-key' });
  });
  afterEach(() => provider[Symbol.asyncDispose]());

  const usable = { statusCode: '00', reference: 'D1', vaNumber: '123', amount: '40000' };
  const state = { merchantOrderId: orderId, reference: 'D1', amount: '40000', statusCode: '00' };
  const question = { orderId, reference: 'D1', amount };

  it.each<[string, unknown]>([
    ['is HTML', '<html>'],
    ['has no reference', { ...usable, reference: undefined }],
    ['has another status', { ...usable, statusCode: '01' }],
    ['has an amount with cents', { ...usable, amount: '40000.50' }],
  ])('assumes that a payment may exist after a response that %s', async (_what, body) => {
    provider.fake.body = body;
    await expect(gateway.createPayment(requestOf(), signal)).rejects.toThrow('Duitku: ');
  });

  it.each([409, 500, 503])('assumes after status %i that a payment may exist', async (status) => {
    Object.assign(provider.fake, { status, body: { Message: 'canary-key' } });
    const error = await gateway.createPayment(requestOf(), signal).catch((one: unknown) => String(one));
    expect(error).toContain(`status ${status}`);
    expect(error).not.toContain('canary');
  });

  it('calls a payment unusable with another amount, or without a way to pay', async () => {
    provider.fake.body = { ...usable, amount: 41_000 };
    const unusable = expect.stringContaining('41000 instead of 40000');
    expect(await gateway.createPayment(requestOf(), signal)).toEqual({ reference: 'D1', unusable });
    provider.fake.body = { ...usable, vaNumber: '', amount: undefined };
    expect(await gateway.createPayment(requestOf(), signal)).toMatchObject({
      unusable: expect.stringContaining('no number'),
    });
  });

  it.each([
    ['00', 'paid'],
    ['02', 'expired'],
    ['07', 'failed'],
  ])('reads the status %s as %s', async (statusCode, status) => {
    provider.fake.body = { ...state, statusCode };
    expect(await gateway.checkPayment?.(question, signal)).toEqual({ status, amount: 40_000, at: null });
  });

  it.each<[string, object]>([
    ['of another order', { ...state, merchantOrderId: 'INV-2' }],
    ['of another payment', { ...state, reference: 'D2' }],
    ['without an amount', { ...state, amount: null }],
    ['with a status in words', { ...state, statusCode: 'SUCCESS' }],
  ])('reads no state from %s', async (_what, body) => {
    provider.fake.body = body;
    await expect(gateway.checkPayment?.(question, signal)).rejects.toThrow('Duitku: ');
  });
});

describe('callbacks of Duitku', () => {
  const { read, respond } = createDuitkuCallbacks({ apiKeys: ['key', 'old-key'], merchantCode: 'D0001' });
  const fields = {
    ...{ merchantCode: 'D0001', amount: '40000', merchantOrderId: 'ORDER1', resultCode: '00' },
    ...{ reference: 'D1', signature: '0f61ff17ecd1730f4762309b84554471' },
  };
  const readForm = (form: Record<string, string>) =>
    read({ headers: {}, body: new TextEncoder().encode(new URLSearchParams(form).toString()) });

  it('accepts a callback with the checked signature', () => {
    const report = { status: 'paid', amount: 40_000, at: null };
    const event = { reference: 'D1', orderId: 'ORDER1', report, confirm: true };
    expect(readForm(fields)).toEqual({ state: 'event', event });
    const signed = { merchantCode: 'D0001', orderId: 'ORDER1', amount: '40000' };
    const old = callbackSignature('old-key', signed);
    expect(readForm({ ...fields, signature: old })).toEqual({ state: 'event', event });
  });

  it('believes a callback only after a status request, because result and reference are unsigned', () => {
    const forged = readForm({ ...fields, resultCode: '01', reference: 'D2' });
    expect(forged).toMatchObject({ event: { reference: 'D2', report: { status: 'failed' }, confirm: true } });
  });

  it.each<[string, Record<string, string>, number]>([
    ['another amount', { amount: '40001' }, 401],
    ['another order', { merchantOrderId: 'ORDER2' }, 401],
    ['another merchant', { merchantCode: 'D0002' }, 401],
    ['the signature of a new payment', { signature: 'dabae51f0e43b12f89ea4b60c56a326f' }, 401],
    ['a signature in capital letters', { signature: fields.signature.toUpperCase() }, 401],
    ['no signature', { signature: '' }, 400],
    ['no reference', { reference: '' }, 400],
    ['an unknown result', { resultCode: '02' }, 400],
  ])('rejects a callback with %s', (_what, changes, status) => {
    expect(readForm({ ...fields, ...changes })).toMatchObject({ state: 'rejected', status });
  });

  it('rejects a callback whose body is JSON', () => {
    const body = new TextEncoder().encode(JSON.stringify(fields));
    expect(read({ headers: {}, body })).toMatchObject({ state: 'rejected', status: 400 });
  });

  it('responds with a success unless Duitku must repeat the callback', () => {
    for (const outcome of ['applied', 'unchanged', 'reconciliation', 'unmatched', 'ignored'] as const)
      expect(respond(outcome)).toEqual({ status: 200, body: { success: true } });
    expect(respond('rejected', 401)).toMatchObject({ status: 401, body: { success: false } });
    expect(respond('failed')).toMatchObject({ status: 503 });
  });
});
