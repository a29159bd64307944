import { createHash } from 'node:crypto';
import type { PaymentRequest } from '@topup-kit/core/gateway';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { start, startSimulated } from '../../simulators/test/helpers/simulators.ts';
import { createMidtransGateway } from '../src/midtrans/adapter.ts';
import { createMidtransCallbacks } from '../src/midtrans/callback.ts';
import { callbackOf, minute, requestOf, signal, startFake } from './helpers/gateways.ts';

const serverKey = 'askvnoibnosifnboseofinbofinfgbiufglnbfg';
const clock = () => start;

const { orderId, amount } = requestOf();
const find = (changes: object = {}) => ({ orderId, amount, ageMs: 0, ...changes });
const method = (code: string): PaymentRequest['method'] => ({ code, group: 'Virtual Account', name: code });

describe('the Midtrans gateway, against the simulator', () => {
  let midtrans: Awaited<ReturnType<typeof startSimulated>>;
  let gateway: ReturnType<typeof createMidtransGateway>;
  beforeEach(async () => {
    midtrans = await startSimulated('midtrans');
    gateway = createMidtransGateway(
      { serverKey, signatureKey: serverKey, baseUrl: midtrans.baseUrl },
      { clock },
    );
  });
  afterEach(() => midtrans[Symbol.asyncDispose]());

  const create = async (changes = {}) => {
    const created = await gateway.createPayment(requestOf(changes), signal);
    if ('rejected' in created) throw new Error(`rejected: ${created.rejected}`);
    return created;
  };
  const check = (id: string, reference: string) =>
    gateway.checkPayment?.({ orderId: id, reference, amount }, signal);
  const readLatest = () => {
    const latest = midtrans.shop.received.at(-1);
    if (!latest) throw new Error('no notification');
    return gateway.callbacks?.read(callbackOf(latest));
  };
  const requests = async (operation: string) =>
    (await midtrans.calls()).filter((call: { operation: string }) => call.operation === operation);

  it('charges QRIS, and returns its QR code', async () => {
    const qrString = expect.stringMatching(/^000201.*540540000.*6304[0-9A-F]{4}$/);
    expect(await create()).toEqual({
      reference: expect.stringMatching(/^[0-9a-f-]{36}$/),
      code: qrString,
      qrString,
    });
    const [{ body }] = await requests('charge');
    expect(JSON.parse(body)).toEqual({
      ...{ payment_type: 'qris', qris: { acquirer: 'gopay' } },
      transaction_details: { order_id: orderId, gross_amount: 40_000 },
      item_details: [{ id: 'ML86', name: '86 Diamonds', price: 20_000, quantity: 2 }],
      customer_details: { first_name: 'Budi', phone: '081234567890', email: 'budi@shop.example' },
      custom_expiry: { expiry_duration: 1800, unit: 'second' },
    });
  });

  it('checks whether the key is right', async () => {
    await gateway.checkAccess?.(signal);
    const wrong = createMidtransGateway(
      { serverKey: 'another-key', signatureKey: serverKey, baseUrl: midtrans.baseUrl },
      { clock },
    );
    await expect(wrong.checkAccess?.(signal)).rejects.toThrow('401');
  });

  it.each(['BCAVA', 'BNIVA', 'BRIVA'])('charges %s by the bank, and returns the number', async (code) => {
    expect(await create({ method: method(code) })).toEqual({
      ...{ reference: expect.any(String), code: expect.stringMatching(/^\d+$/) },
    });
    const [{ body }] = await requests('charge');
    expect(JSON.parse(body)).toMatchObject({ bank_transfer: { bank: code.slice(0, 3).toLowerCase() } });
  });

  it('charges MANDIRIVA as a bill, and returns both of its numbers', async () => {
    expect(await create({ method: method('MANDIRIVA') })).toEqual({
      ...{ reference: expect.any(String), code: expect.stringMatching(/^Biller code 70012, bill key \d+$/) },
    });
  });

  it('offers only these methods', async () => {
    for (const code of ['QRIS', 'QRIS2', 'BCAVA', 'BNIVA', 'BRIVA', 'MANDIRIVA'])
      expect(gateway.supports?.(method(code))).toBe(true);
    for (const code of ['DANA', 'ALFAMART', 'BANK_TRANSFER', 'toString'])
      expect(gateway.supports?.(method(code))).toBe(false);
    await expect(create({ method: method('DANA') })).rejects.toThrow('DANA is not supported');
  });

  it('leaves out missing customer data, and shortens long texts', async () => {
    await create({
      customer: { phone: '081234567890', email: null, name: null },
      items: [{ sku: null, name: `${'x'.repeat(49)}💎💎`, price: 40_000, quantity: 1 }],
    });
    const [{ body }] = await requests('charge');
    expect(JSON.parse(body)).toMatchObject({
      item_details: [{ name: `${'x'.repeat(49)}💎`, price: 40_000, quantity: 1 }],
    });
    expect(JSON.parse(body).customer_details).toEqual({ first_name: '081234567890', phone: '081234567890' });
    expect(JSON.parse(body).item_details[0]).not.toHaveProperty('id');
  });

  it('creates a payment for a game, a product and a code of the longest names', async () => {
    const name = `${'é'.repeat(255)}: ${'💎'.repeat(255)}`;
    await create({ items: [{ sku: 'X'.repeat(255), name, price: 40_000, quantity: 1 }] });
    const [{ body }] = await requests('charge');
    expect(JSON.parse(body)).toMatchObject({
      item_details: [{ id: 'X'.repeat(50), name: 'é'.repeat(50), price: 40_000 }],
    });
  });

  it.each([
    ['is too long', 'x'.repeat(51)],
    ['has other characters', 'INV/1'],
  ])('sends no order id that %s', async (_what, id) => {
    await expect(create({ orderId: id })).rejects.toThrow('not an order id that Midtrans accepts');
    expect(await requests('charge')).toEqual([]);
  });

  it('creates one payment for two charges of an order id within five minutes', async () => {
    expect(await create()).toEqual(await create());
    expect((await midtrans.books()).payments).toHaveLength(1);
  });

  it('finds the payment of an order id that was already used, for example after a lost response', async () => {
    const { reference } = await create();
    // Its idempotency key has the first response for five minutes.
    await midtrans.advance(301);
    await expect(create()).rejects.toThrow('406 The order_id has already been used.');
    expect(await gateway.findPayment(find(), signal)).toMatchObject({
      state: 'found',
      payment: { reference },
    });
  });

  it('finds a payment whose response was lost, and requests it once', async () => {
    await midtrans.fault('lost-response', { on: 'charge' });
    await expect(create()).rejects.toThrow('may have been carried out');
    const { payments } = await midtrans.books();
    expect(payments).toHaveLength(1);
    expect(await gateway.findPayment(find(), signal)).toEqual({
      state: 'found',
      payment: {
        reference: payments[0].transaction_id,
        ...{ code: expect.stringMatching(/^000201/), qrString: expect.stringMatching(/^000201/) },
      },
    });
  });

  it('finds a payment whose response is too slow', async () => {
    await midtrans.fault('slow', { on: 'charge' });
    const request = requestOf({ method: method('BCAVA') });
    await expect(gateway.createPayment(request, AbortSignal.timeout(100))).rejects.toThrow('in time');
    expect(await gateway.findPayment(find(), signal)).toMatchObject({
      ...{ state: 'found', payment: { code: expect.stringMatching(/^\d+$/) } },
    });
    expect(await requests('charge')).toHaveLength(1);
  });

  it("reports a missing payment only when its request can't create a payment any more", async () => {
    await midtrans.fault('error-500', { on: 'charge' });
    await expect(create()).rejects.toThrow('Midtrans: POST /v2/charge');
    for (const ageMs of [0, 10_000, 119_999])
      await expect(gateway.findPayment(find({ ageMs }), signal)).rejects.toThrow('may still create one');
    expect(await gateway.findPayment(find({ ageMs: 120_000 }), signal)).toEqual({ state: 'absent' });
    await midtrans.fault('error-500', { on: 'status' });
    await expect(gateway.findPayment(find({ ageMs: 120_000 }), signal)).rejects.toThrow('Midtrans: GET /v2/');
  });

  it('reports every status, and the time of a settlement', async () => {
    const after = async (id: string, ...actions: string[]) => {
      const { reference } = await create({ orderId: id });
      for (const action of actions) await midtrans.act(action, { reference: id });
      return check(id, reference);
    };
    expect(await after('INV-1')).toEqual({ status: 'open' });
    await midtrans.advance(60);
    expect(await after('INV-2', 'pay')).toEqual({ status: 'paid', amount: 40_000, at: start + minute });
    expect(await after('INV-3', 'pay', 'refund')).toEqual({
      ...{ status: 'refunded', amount: 40_000, paid: 40_000, at: null },
    });
    expect(await after('INV-4', 'fail')).toEqual({ status: 'failed', amount: 40_000, at: null });
    expect(await after('INV-5', 'cancel')).toEqual({ status: 'failed', amount: 40_000, at: null });
    expect(await after('INV-6', 'expire')).toEqual({ status: 'expired', amount: 40_000, at: null });
    await expect(check('INV-7', 'T1')).rejects.toThrow("404 Transaction doesn't exist.");
    await expect(check('INV-2', 'T1')).rejects.toThrow('not T1');
  });

  it('reports how much of a payment was paid back so far, and its total', async () => {
    const { reference } = await create();
    await midtrans.act('pay', { reference: orderId });
    // Notifications that are due at once may arrive in any order.
    await midtrans.advance(0);
    const refunded = (amount: number) => ({ status: 'refunded', amount, paid: 40_000, at: null });
    await midtrans.act('refund', { reference: orderId, amount: 13_334 });
    expect(await check(orderId, reference)).toEqual(refunded(13_334));
    await midtrans.advance(0);
    expect(readLatest()).toMatchObject({ event: { report: refunded(13_334), confirm: true } });
    await midtrans.act('refund', { reference: orderId, amount: 13_334 });
    expect(await check(orderId, reference)).toEqual(refunded(26_668));
    await midtrans.act('refund', { reference: orderId });
    expect(await check(orderId, reference)).toEqual(refunded(40_000));
  });

  it('reports the amount that the customer actually paid', async () => {
    await midtrans.fault('wrong-amount');
    const { reference } = await create();
    await midtrans.act('pay', { reference: orderId });
    const report = { status: 'paid', amount: 39_999, at: start };
    expect(await check(orderId, reference)).toEqual(report);
    await midtrans.advance(0);
    expect(readLatest()).toEqual({ state: 'event', event: { reference, orderId, report, confirm: true } });
  });

  it('rejects a notification with a wrong signature, and reads the next attempt', async () => {
    const { reference } = await create();
    await midtrans.advance(0);
    expect(readLatest()).toMatchObject({ event: { report: { status: 'open' } } });
    await midtrans.fault('bad-signature');
    midtrans.shop.answer.status = 400;
    await midtrans.act('pay', { reference: orderId });
    await midtrans.advance(0);
    expect(readLatest()).toMatchObject({ state: 'rejected', status: 401 });
    await midtrans.advance(120);
    expect(readLatest()).toMatchObject({ state: 'event', event: { reference, report: { status: 'paid' } } });
  });

  it('responds so that Midtrans repeats unhandled notifications', async () => {
    const attemptsAfter = async (id: string, outcome: 'applied' | 'unmatched' | 'failed') => {
      midtrans.shop.received.length = 0;
      midtrans.shop.answer.status = gateway.callbacks?.respond(outcome).status ?? 0;
      await create({ orderId: id, expiresAt: start + 1440 * minute });
      await midtrans.advance(400 * 60);
      return midtrans.shop.received.length;
    };
    expect(await attemptsAfter('INV-1', 'applied')).toBe(1);
    expect(await attemptsAfter('INV-2', 'unmatched')).toBe(1);
    expect(await attemptsAfter('INV-3', 'failed')).toBe(5);
  });
});

const charged = {
  ...{ status_code: '201', transaction_id: 'T1', order_id: orderId, gross_amount: '40000.00' },
  ...{ payment_type: 'qris', transaction_status: 'pending', qr_string: '000201' },
};

describe('the Midtrans gateway, with nonsense responses', () => {
  let provider: Awaited<ReturnType<typeof startFake>>;
  let gateway: ReturnType<typeof createMidtransGateway>;
  beforeEach(async () => {
    provider = await startFake();
    gateway = createMidtransGateway(
      { serverKey: 'canary-server', signatureKey: 'canary-signature', baseUrl: provider.url },
      { clock },
    );
  });
  afterEach(() => provider[Symbol.asyncDispose]());

  const calls = {
    createPayment: () => gateway.createPayment(requestOf(), signal),
    findPayment: () => gateway.findPayment(find({ ageMs: 1e9 }), signal),
    checkPayment: () => gateway.checkPayment?.({ orderId, reference: 'T1', amount }, signal),
  };
  const credentials = Buffer.from('canary-server:').toString('base64');

  it.each([
    ['no JSON', '<html>canary-server'],
    ['no object', '[]'],
    ['no status code', { ...charged, status_code: null }],
    ['no transaction', { status_code: '200', status_message: 'OK' }],
    ['another order', { ...charged, order_id: 'INV-2' }],
    ['an error', { status_code: '406', status_message: `canary-server, canary-signature, ${credentials}` }],
    ['a first request in flight', { status_code: '202', status_message: 'in progress' }],
  ])('throws for %s, sends one request and reveals no secret', async (_what, body) => {
    provider.fake.body = body;
    for (const call of Object.values(calls)) {
      provider.fake.requests.length = 0;
      const error = await call()?.catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ name: 'ProviderError', message: expect.stringMatching(/^Midtrans: /) });
      expect(String(error)).not.toMatch(/canary/);
      expect(String(error)).not.toContain(credentials);
      expect(provider.fake.requests).toHaveLength(1);
    }
  });

  it('passes on the status and the message of an error', async () => {
    provider.fake.body = { status_code: '500', status_message: 'Too many requests.' };
    for (const call of Object.values(calls)) await expect(call()).rejects.toThrow('500 Too many requests.');
  });

  it.each([
    [200, { status_code: '400' }, true],
    [401, { status_code: '401' }, true],
    [200, { status_code: '402' }, true],
    // It may be about an earlier request, or the payment may exist.
    [200, { status_code: '406' }, false],
    [200, { status_code: '409' }, false],
    [200, { status_code: '400', transaction_id: 'T1' }, false],
    [502, { status_code: '400' }, false],
    [200, { status_code: '202' }, false],
    [200, { status_code: '500' }, false],
  ])('treats an error with status %i and %j as certain: %s', async (status, body, isCertain) => {
    provider.fake.status = status;
    provider.fake.body = { status_message: `canary-server, canary-signature, ${credentials}`, ...body };
    const outcome = await calls.createPayment().catch((error: unknown) => ({ error }));
    expect(Object.keys(outcome)).toEqual([isCertain ? 'rejected' : 'error']);
    expect(JSON.stringify(outcome)).not.toMatch(/canary/);
    expect(JSON.stringify(outcome)).not.toContain(credentials);
  });

  it.each([
    ['an amount with cents', { gross_amount: '40000.50' }, 'gross_amount of a Midtrans payment is invalid'],
    [
      'a separator in the amount',
      { gross_amount: '40.000' },
      'gross_amount of a Midtrans payment is invalid',
    ],
    ['another amount', { gross_amount: '41030.00' }, '41030 instead of 40000'],
    ['no way to pay', { qr_string: undefined }, 'no QR code'],
    ['half a bill', { qr_string: undefined, bill_key: '1' }, 'no QR code or payment number'],
  ])(
    'keeps the reference of a payment with %s, even if the payment was found',
    async (_what, changes, why) => {
      provider.fake.body = { ...charged, ...changes };
      const payment = { reference: 'T1', unusable: expect.stringContaining(why) };
      expect(await calls.createPayment()).toEqual(payment);
      expect(await calls.findPayment()).toEqual({ state: 'found', payment });
    },
  );

  const info = (original: unknown, gross: unknown) => ({
    gross_amount_info: {
      original_amount: original,
      gross_amount: gross,
      customer_imposed_payment_fee: '71',
    },
  });

  describe.each([
    ['in metadata', (info: object) => ({ metadata: { extra_info: info } })],
    ['at the top', (info: object) => ({ extra_info: info })],
  ])('a fee that the customer pays on top, which stands %s', (_where, place) => {
    const imposed = { ...charged, gross_amount: '40071.00', ...place(info('40000', 40_071)) };

    it("accepts the payment, and reports the shop's amount", async () => {
      provider.fake.body = imposed;
      expect(await calls.createPayment()).toEqual({ reference: 'T1', code: '000201', qrString: '000201' });
      provider.fake.body = { ...imposed, status_code: '200', transaction_status: 'settlement' };
      expect(await calls.checkPayment()).toMatchObject({ status: 'paid', amount: 40_000 });
    });

    it.each([
      [{ transaction_status: 'refund' }, 40_000],
      [{ transaction_status: 'refund', refund_amount: '40071.00' }, 40_000],
      [{ transaction_status: 'partial_refund', refunds: [{ refund_amount: '10000.00' }] }, 10_000],
    ])("counts no refund above the shop's amount: %j", async (changes, amount) => {
      provider.fake.body = { ...imposed, status_code: '200', ...changes };
      expect(await calls.checkPayment()).toMatchObject({ status: 'refunded', amount, paid: 40_000 });
    });

    it.each([
      ['is about another amount', info('40000', '40072')],
      ['has a separator', info('40.000', '40071')],
      ['is more than the payment', info('40072', '40071')],
      ['is missing', {}],
    ])('reports the paid amount if its explanation %s', async (_what, wrong) => {
      provider.fake.body = {
        ...{ ...charged, gross_amount: '40071.00', ...place(wrong) },
        ...{ status_code: '200', transaction_status: 'settlement' },
      };
      expect(await calls.checkPayment()).toMatchObject({ status: 'paid', amount: 40_071 });
      expect(await calls.createPayment()).toMatchObject({
        unusable: expect.stringContaining('40071 instead of 40000'),
      });
    });
  });

  it.each([
    ['is unknown', { transaction_status: 'lost' }],
    ['has an amount with cents', { gross_amount: '39999.99' }],
    ['has an invalid time', { settlement_time: '2026-99-99 00:00:00' }],
  ])('reports nothing for a status that %s', async (_what, changes) => {
    provider.fake.body = { ...charged, status_code: '200', transaction_status: 'settlement', ...changes };
    await expect(calls.checkPayment()).rejects.toThrow('invalid');
  });

  it.each([
    ['settlement', {}, 'paid'],
    ['capture', { fraud_status: 'accept' }, 'paid'],
    ['capture', { fraud_status: 'challenge' }, 'open'],
    ['settlement', { fraud_status: 'deny' }, 'open'],
    ['settlement', { status_code: '201' }, 'open'],
    ['authorize', {}, 'open'],
    ['failure', {}, 'failed'],
  ])('reads %s with %j as %s', async (status, changes, meaning) => {
    provider.fake.body = { ...charged, status_code: '200', transaction_status: status, ...changes };
    expect(await calls.checkPayment()).toMatchObject({ status: meaning });
  });

  it.each([
    ['refund', {}, 40_000],
    ['refund', { refund_amount: '40000.00' }, 40_000],
    ['partial_refund', { refund_amount: '13334.00' }, 13_334],
    [
      'partial_refund',
      { refunds: [{ refund_amount: '10000.00', refund_key: 'a' }, { refund_amount: '3334.00' }] },
      13_334,
    ],
  ])('reads a %s with %j as a refund of %i', async (status, changes, amount) => {
    provider.fake.body = { ...charged, status_code: '200', transaction_status: status, ...changes };
    expect(await calls.checkPayment()).toEqual({ status: 'refunded', amount, paid: 40_000, at: null });
  });

  it('reports nothing for a partial refund of unknown amount', async () => {
    provider.fake.body = { ...charged, status_code: '200', transaction_status: 'partial_refund' };
    await expect(calls.checkPayment()).rejects.toThrow('the response has no refund_amount');
  });

  it('reads times in Jakarta, and large amounts exactly', async () => {
    const settled = { transaction_status: 'settlement', settlement_time: '2026-05-01 00:30:00' };
    provider.fake.body = { ...charged, status_code: '200', gross_amount: '900719925474099.00', ...settled };
    const at = Date.UTC(2026, 3, 30, 17, 30);
    expect(await calls.checkPayment()).toEqual({ status: 'paid', amount: 900_719_925_474_099, at });
  });
});

describe('notifications of Midtrans', () => {
  const { read, respond } = createMidtransCallbacks([serverKey]);
  const published = {
    ...{ order_id: '1111', status_code: '200', gross_amount: '100000.00' },
    signature_key:
      'edc076b21793ebe3e17926350f5b8ae67d902fe657b3d0aa31b932d5c127e2375d308a2bc94f3265ac2d80a1f181a79b997ac178a236fcff35af263fc4d4c231',
    ...{ transaction_id: 'T1', transaction_status: 'settlement', settlement_time: '2026-05-01 12:00:00' },
  };
  const readFrom = (body: unknown) =>
    read(callbackOf({ headers: {}, body: typeof body === 'string' ? body : JSON.stringify(body) }));
  const signed = (facts: typeof published) => ({
    ...facts,
    signature_key: createHash('sha512')
      .update(facts.order_id + facts.status_code + facts.gross_amount + serverKey)
      .digest('hex'),
  });

  it('accepts the published signature, and asks for confirmation', () => {
    const report = { status: 'paid', amount: 100_000, at: start };
    expect(readFrom(published)).toEqual({
      ...{ state: 'event', event: { reference: 'T1', orderId: '1111', report, confirm: true } },
    });
  });

  it('ignores genuine tests of the dashboard', () => {
    const test = { ...published, order_id: 'payment_notif_test_G000000000_1' };
    expect(readFrom(signed(test))).toMatchObject({ state: 'ignored' });
    expect(readFrom(test)).toMatchObject({ state: 'rejected', status: 401 });
  });

  it.each([
    ['another order', { order_id: '1112' }],
    ['another code', { status_code: '201' }],
    ['another amount', { gross_amount: '100001.00' }],
    ['the same amount in another notation', { gross_amount: '100000.0' }],
    ['another signature', { signature_key: `${published.signature_key.slice(0, -1)}2` }],
    ['an empty signature', { signature_key: '' }],
    ['no signature', { signature_key: undefined }],
  ])('rejects %s as not genuine', (_what, changes) => {
    expect(readFrom({ ...published, ...changes })).toMatchObject({ state: 'rejected', status: 401 });
  });

  it.each([
    ['no JSON', 'order_id=1111'],
    ['no object', '[]'],
    ['an amount as a number', { ...published, gross_amount: 100_000 }],
    ['no transaction', { ...published, transaction_id: undefined }],
    ['an unknown status', { ...published, transaction_status: 'lost' }],
    ['an amount with cents', signed({ ...published, gross_amount: '100000.10' })],
  ])('rejects %s as unreadable', (_what, body) => {
    const reading = readFrom(body);
    expect(reading).toMatchObject({ state: 'rejected', status: 400 });
    expect(JSON.stringify(reading)).not.toMatch(/lost|1111|100000/);
  });

  it('checks signatures with the configured key', () => {
    const other = createMidtransCallbacks(['another']);
    expect(other.read(callbackOf({ headers: {}, body: JSON.stringify(published) }))).toMatchObject({
      ...{ state: 'rejected', status: 401 },
    });
  });

  it('returns a response for every outcome', () => {
    for (const outcome of ['applied', 'unchanged', 'contradiction', 'reconciliation', 'ignored'] as const)
      expect(respond(outcome).status).toBe(200);
    expect(respond('unmatched').status).toBe(200);
    expect(respond('rejected', 401).status).toBe(401);
    expect(respond('failed').status).toBe(503);
  });
});
