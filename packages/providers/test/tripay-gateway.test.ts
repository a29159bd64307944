import { createHmac } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { start, startSimulated } from '../../simulators/test/helpers/simulators.ts';
import { createTripayGateway } from '../src/tripay/adapter.ts';
import { createTripayCallbacks } from '../src/tripay/callback.ts';
import type { TripaySettings } from '../src/tripay/settings.ts';
import { callbackOf, minute, requestOf, signal, startFake } from './helpers/gateways.ts';

const settings = (baseUrl: string): TripaySettings => ({
  apiKey: 'DEV-simulated-api-key',
  privateKey: 'ytf6ooi2gmlNPfpchd94jDOk8hRWOu',
  merchantCode: 'T0001',
  baseUrl,
  fallbackEmail: 'orders@shop.example',
});

const { orderId, amount } = requestOf();
const find = (changes: object = {}) => ({ orderId, amount, ageMs: 0, ...changes });

describe('the Tripay gateway, against the simulator', () => {
  let tripay: Awaited<ReturnType<typeof startSimulated>>;
  let gateway: ReturnType<typeof createTripayGateway>;
  beforeEach(async () => {
    tripay = await startSimulated('tripay');
    gateway = createTripayGateway(settings(tripay.baseUrl));
  });
  afterEach(() => tripay[Symbol.asyncDispose]());

  const create = async (changes = {}) => {
    const created = await gateway.createPayment(requestOf(changes), signal);
    if ('rejected' in created) throw new Error(`rejected: ${created.rejected}`);
    return created;
  };
  const check = (reference: string) => gateway.checkPayment?.({ orderId, reference, amount }, signal);
  const readLatest = () => {
    const latest = tripay.shop.received.at(-1);
    if (!latest) throw new Error('no callback');
    return gateway.callbacks?.read(callbackOf(latest));
  };
  const requests = async (operation: string) =>
    (await tripay.calls()).filter((call: { operation: string }) => call.operation === operation);

  it('creates a QRIS payment with its QR code and the page', async () => {
    const payment = await create();
    const qrString = expect.stringMatching(/^000201.*540540000.*6304[0-9A-F]{4}$/);
    const url = expect.stringMatching(/^http:.*\/pay\/tripay\/DEV-T0001/);
    expect(payment).toEqual({
      reference: expect.stringMatching(/^DEV-T0001/),
      code: qrString,
      qrString,
      url,
    });
    const [{ body }] = await requests('create');
    expect(JSON.parse(body)).toMatchObject({
      ...{ method: 'QRIS2', merchant_ref: orderId, amount: 40_000, expired_time: start / 1000 + 1800 },
      ...{ customer_name: 'Budi', customer_email: 'budi@shop.example', customer_phone: '081234567890' },
      order_items: [{ sku: 'ML86', name: '86 Diamonds', price: 20_000, quantity: 2 }],
    });
  });

  it('checks whether the key is right', async () => {
    await gateway.checkAccess?.(signal);
    const wrong = createTripayGateway({ ...settings(tripay.baseUrl), apiKey: 'another-key' });
    await expect(wrong.checkAccess?.(signal)).rejects.toThrow(
      'Tripay: GET /merchant/payment-channel was rejected with status 401: Invalid API Key',
    );
  });

  it('creates a virtual account with its number, and a wallet with its page', async () => {
    const method = { code: 'BRIVA', group: 'Virtual Account', name: 'BRI' } as const;
    expect(await create({ method })).toMatchObject({
      code: expect.stringMatching(/^8888\d+$/),
      qrString: null,
    });
    const wallet = { code: 'DANA', group: 'E-Wallet', name: 'DANA' } as const;
    const page = expect.stringContaining('/pay/tripay/');
    expect(await create({ method: wallet })).toMatchObject({ code: page, url: page, qrString: null });
  });

  it("sends the phone number as the name and the shop's e-mail address if the customer gave neither, and fees without a code", async () => {
    const items = [
      { sku: 'ML86', name: '86 Diamonds', price: 39_250, quantity: 1 },
      { sku: null, name: 'Payment fee', price: 750, quantity: 1 },
    ];
    await create({ customer: { phone: '081234567890', email: null, name: null }, items });
    const [{ body }] = await requests('create');
    expect(JSON.parse(body)).toMatchObject({
      ...{ customer_name: '081234567890', customer_email: 'orders@shop.example' },
      order_items: [{ sku: 'ML86' }, { name: 'Payment fee', price: 750, quantity: 1 }],
    });
    expect(JSON.parse(body).order_items[1]).not.toHaveProperty('sku');
  });

  it('creates a payment for a game, a product, a code and a player of the longest names', async () => {
    const name = `${'é'.repeat(254)}💎: ${'x'.repeat(255)}`;
    const customer = { phone: '081234567890', email: null, name: '💎'.repeat(255) };
    const items = [{ sku: 'X'.repeat(300), name, price: 40_000, quantity: 1 }];
    await create({ customer, items });
    const [{ body }] = await requests('create');
    expect(JSON.parse(body)).toMatchObject({
      customer_name: '💎'.repeat(255),
      order_items: [{ sku: 'X'.repeat(255), name: `${'é'.repeat(254)}💎`, price: 40_000, quantity: 1 }],
    });
  });

  it("sends Tripay the order's return URL, if the order has one", async () => {
    const returnUrl = 'https://shop.example/orders/INV-1';
    await create({ returnUrl });
    await create();
    const [one, other] = (await requests('create')).map(({ body }: { body: string }) => JSON.parse(body));
    expect(one).toMatchObject({ return_url: returnUrl });
    expect(other).not.toHaveProperty('return_url');
  });

  it('explains why Tripay rejected a payment', async () => {
    await expect(create({ method: { code: 'NONE', group: 'QRIS', name: 'None' } })).rejects.toThrow(
      'rejected: Tripay: POST /transaction/create was rejected with status 400: Payment channel is not available',
    );
  });

  it('finds a payment whose response was lost, and requests it once', async () => {
    await tripay.fault('lost-response', { on: 'create' });
    await expect(create()).rejects.toThrow('may have been carried out');
    const found = await gateway.findPayment(find(), signal);
    const { payments } = await tripay.books();
    expect(payments).toHaveLength(1);
    expect(found).toMatchObject({ state: 'found', payment: { reference: payments[0].reference } });
    expect(found).toMatchObject({ payment: { qrString: expect.stringMatching(/^000201/) } });
  });

  it('finds a payment whose response is too slow', async () => {
    await tripay.fault('slow', { on: 'create' });
    await expect(gateway.createPayment(requestOf(), AbortSignal.timeout(100))).rejects.toThrow(
      'did not respond in time',
    );
    expect(await gateway.findPayment(find(), signal)).toMatchObject({ state: 'found' });
    expect(await requests('create')).toHaveLength(1);
  });

  it("reports a missing payment only when its request can't create a payment any more", async () => {
    await tripay.fault('error-500', { on: 'create' });
    await expect(create()).rejects.toThrow('500');
    for (const ageMs of [0, 10_000, 119_999])
      await expect(gateway.findPayment(find({ ageMs }), signal)).rejects.toThrow('may still create one');
    expect(await gateway.findPayment(find({ ageMs: 120_000 }), signal)).toEqual({ state: 'absent' });
    await tripay.fault('error-500', { on: 'list' });
    await expect(gateway.findPayment(find({ ageMs: 120_000 }), signal)).rejects.toThrow('500');
  });

  it("finds the paid payment of an order's two payments, or else the payable payment, or else the first", async () => {
    const [first, second] = [await create(), await create()];
    const found = async () => (await gateway.findPayment(find(), signal)) as { payment: object }; // Safe: the value is checked below.
    expect((await found()).payment).toEqual(first);
    await tripay.act('expire', { reference: first.reference });
    expect((await found()).payment).toEqual(second);
    await tripay.act('pay', { reference: first.reference, late: true });
    expect((await found()).payment).toEqual(first);
  });

  it("finds the open payment with the order's total", async () => {
    await tripay.fault('customer-fees');
    const [other, usable] = [await create(), await create()];
    expect(other).toHaveProperty('unusable');
    expect(await gateway.findPayment(find(), signal)).toEqual({ state: 'found', payment: usable });
  });

  it('calls a payment unusable if the customer must pay additional fees, even if the payment was found', async () => {
    await tripay.fault('customer-fees');
    const { reference, ...payment } = await create();
    // 750 and 0.7 % of 40,000.
    const unusable = expect.stringContaining('41030 instead of 40000');
    expect(payment).toEqual({ unusable });
    expect(await gateway.findPayment(find(), signal)).toEqual({
      ...{ state: 'found', payment: { reference, unusable } },
    });
  });

  it('lists all payments since a given time, over all pages', async () => {
    const early = (await create({ orderId: 'INV-EARLY' })).reference;
    await tripay.advance(600);
    const ids = Array.from({ length: 120 }, (_, index) => `INV-${index}`);
    const created = new Map<string, string>();
    for (const id of ids) created.set(id, (await create({ orderId: id })).reference);
    await tripay.act('pay', { reference: created.get('INV-7') });
    await tripay.act('pay', { reference: created.get('INV-8') });
    await tripay.act('refund', { reference: created.get('INV-8') });
    const listed = await gateway.listPayments?.(start + 600_000, signal);
    const found = new Map(listed?.map((one) => [one.orderId, one]));
    expect([...ids].filter((id) => found.get(id)?.reference !== created.get(id))).toEqual([]);
    expect(found.get('INV-7')?.report).toEqual({
      ...{ status: 'paid', amount: 40_000, at: start + 600_000 },
      fee: 1_030,
    });
    expect(found.get('INV-8')?.report).toMatchObject({ status: 'refunded', amount: 40_000 });
    expect(found.get('INV-9')?.report).toEqual({ status: 'open' });
    const pages = await requests('list');
    expect(pages.map(({ url }: { url: string }) => new URL(url, 'http://x').search)).toEqual(
      [1, 2, 3].map((page) => `?page=${page}&per_page=50&sort=desc`),
    );
    // The third page begins after the last one that is wanted.
    expect(found.get('INV-EARLY')?.reference).toBe(early);
    await gateway.listPayments?.(start + 600_001, signal);
    expect(await requests('list')).toHaveLength(4);
  });

  it('reports every status, and the time of a payment', async () => {
    const paid = (await create()).reference;
    expect(await check(paid)).toEqual({ status: 'open' });
    await tripay.advance(60);
    await tripay.act('pay', { reference: paid });
    expect(await check(paid)).toEqual({
      ...{ status: 'paid', amount: 40_000, at: start + minute },
      fee: 1_030,
    });
    await tripay.act('refund', { reference: paid });
    // Tripay keeps its fee of a payment that it pays back, too.
    expect(await check(paid)).toEqual({
      ...{ status: 'refunded', amount: 40_000, paid: 40_000, at: null },
      fee: 1_030,
    });
    const failed = (await create()).reference;
    await tripay.act('fail', { reference: failed });
    expect(await check(failed)).toEqual({ status: 'failed', amount: 40_000, at: null });
    const expired = (await create()).reference;
    await tripay.act('expire', { reference: expired });
    expect(await check(expired)).toEqual({ status: 'expired', amount: 40_000, at: null });
    await expect(check('DEV-T0001')).rejects.toThrow('There is no transaction DEV-T0001');
  });

  it('reports the amount that the customer actually paid, in callbacks and responses', async () => {
    await tripay.fault('wrong-amount');
    const { reference } = await create();
    await tripay.act('pay', { reference });
    await tripay.advance(0);
    const report = { status: 'paid', amount: 39_999, at: start, fee: 1_030 };
    expect(readLatest()).toEqual({ state: 'event', event: { reference, orderId, report, confirm: false } });
    expect(await check(reference)).toEqual(report);
  });

  it('reads a genuine callback, and another callback for a second payment with its own time', async () => {
    const { reference } = await create();
    await tripay.act('pay', { reference });
    await tripay.advance(60);
    expect(readLatest()).toMatchObject({ event: { report: { status: 'paid', at: start } } });
    await tripay.act('pay', { reference, late: true });
    await tripay.advance(0);
    expect(readLatest()).toMatchObject({ event: { report: { status: 'paid', at: start + minute } } });
  });

  it('rejects a callback with a wrong signature, and reads the next attempt', async () => {
    await tripay.fault('bad-signature');
    const { reference } = await create();
    await tripay.act('pay', { reference });
    tripay.shop.answer.status = 401;
    await tripay.advance(0);
    expect(readLatest()).toMatchObject({ state: 'rejected', status: 401 });
    await tripay.advance(120);
    expect(readLatest()).toMatchObject({ state: 'event', event: { reference } });
  });

  it('responds so that Tripay repeats only unhandled callbacks', async () => {
    const { reference } = await create();
    const attemptsAfter = async (response = gateway.callbacks?.respond('applied')) => {
      tripay.shop.received.length = 0;
      tripay.shop.answer.status = response?.status ?? 0;
      tripay.shop.answer.body = JSON.stringify(response?.body);
      await tripay.act('pay', { reference, late: true });
      await tripay.advance(600);
      return tripay.shop.received.length;
    };
    expect(await attemptsAfter()).toBe(1);
    expect(await attemptsAfter(gateway.callbacks?.respond('reconciliation'))).toBe(1);
    expect(await attemptsAfter(gateway.callbacks?.respond('failed'))).toBe(3);
  });

  it("offers Tripay's channels with their times", () => {
    const method = (code: string) => ({ code, group: 'QRIS', name: code }) as const;
    expect(gateway.supports?.(method('QRIS2'))).toBe(true);
    expect(gateway.supports?.(method('BANK_TRANSFER'))).toBe(false);
    const limits = (code: string) => gateway.expiryLimits?.(method(code));
    expect(limits('QRIS')).toEqual({ min: 10 * minute, max: 60 * minute });
    expect(limits('QRIS2')).toEqual({ min: 10 * minute, max: 1440 * minute });
    expect(limits('SHOPEEPAY')).toEqual({ min: 15 * minute, max: 60 * minute });
    expect(limits('BSIVA')).toEqual({ min: 60 * minute, max: 180 * minute });
    expect(limits('BNIVA')?.max).toBe(1440 * minute);
    expect(limits('BANK_TRANSFER')).toEqual({});
  });
});

describe('the Tripay gateway, with nonsense responses', () => {
  let provider: Awaited<ReturnType<typeof startFake>>;
  let gateway: ReturnType<typeof createTripayGateway>;
  beforeEach(async () => {
    provider = await startFake();
    const secrets = { apiKey: 'canary-api', privateKey: 'canary-private' };
    gateway = createTripayGateway({ ...settings(provider.url), ...secrets });
  });
  afterEach(() => provider[Symbol.asyncDispose]());

  const usable = {
    reference: 'T1',
    merchant_ref: orderId,
    amount: 40_000,
    pay_code: '123',
    status: 'UNPAID',
  };
  const calls = {
    listPayments: async () => gateway.listPayments?.(0, signal),
    createPayment: () => gateway.createPayment(requestOf(), signal),
    findPayment: () => gateway.findPayment(find({ ageMs: 1e9 }), signal),
    checkPayment: () => gateway.checkPayment?.({ orderId, reference: 'T1', amount }, signal),
  };

  it.each([
    ['no JSON', '<html>canary-api'],
    ['no object', '[]'],
    ['no success', { data: usable }],
    ['no data', { success: true }],
    ['other data', { success: true, data: { reference: 7 } }],
    [
      'rows of another order',
      { success: true, data: [{ ...usable, reference: 'T2', merchant_ref: 'INV-2' }] },
    ],
    ['a status that is not known', { success: true, data: [{ ...usable, status: 'LOST' }] }],
    ['a rejection', { success: false, message: 'Invalid key canary-api or canary-private' }],
  ])('throws for %s, sends one request and reveals no secret', async (_what, body) => {
    provider.fake.body = body;
    for (const call of Object.values(calls)) {
      provider.fake.requests.length = 0;
      const error = await call()?.catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ name: 'ProviderError', message: expect.stringMatching(/^Tripay: /) });
      expect(String(error)).not.toContain('canary');
      expect(provider.fake.requests).toHaveLength(1);
    }
  });

  it.each([
    [400, true],
    [401, true],
    [422, true],
    // It may have been carried out, or be about an earlier request.
    [200, false],
    [408, false],
    [409, false],
    [500, false],
    [503, false],
  ])('treats a rejection with status %i as certain: %s', async (status, isCertain) => {
    provider.fake.status = status;
    provider.fake.body = { success: false, message: 'Invalid key canary-api or canary-private' };
    const outcome = await calls.createPayment().catch((error: unknown) => ({ error }));
    expect(Object.keys(outcome)).toEqual([isCertain ? 'rejected' : 'error']);
    expect(JSON.stringify(outcome)).not.toContain('canary');
    await expect(calls.findPayment()).rejects.toThrow('was rejected');
  });

  it('stops reading an endless list', async () => {
    const row = {
      reference: 'R',
      merchant_ref: 'INV-1',
      amount: 1,
      status: 'PAID',
      created_at: 1_777_777_777,
    };
    const rows = Array.from({ length: 50 }, (_, index) => ({ ...row, reference: `R${index}` }));
    provider.fake.body = { success: true, data: rows };
    await expect(calls.listPayments()).rejects.toThrow('keeps returning the first page');
    provider.fake.body = { success: true, data: [{ ...row, created_at: 'now' }] };
    await expect(calls.listPayments()).rejects.toThrow('created_at is "now"');
    provider.fake.body = { success: true, data: [] };
    expect(await calls.listPayments()).toEqual([]);
  });

  it('treats no other response with status 400 as a rejection', async () => {
    provider.fake.status = 400;
    for (const body of ['<html>', {}, { success: true, data: {} }]) {
      provider.fake.body = body;
      await expect(calls.createPayment()).rejects.toThrow('Tripay: ');
    }
  });

  it("rejects another order's payment", async () => {
    provider.fake.body = { success: true, data: { ...usable, merchant_ref: 'INV-2' } };
    await expect(calls.createPayment()).rejects.toThrow(
      `got T1, which belongs to another order than ${orderId}`,
    );
    provider.fake.body = { success: true, data: [{ ...usable, status: 'PAID', merchant_ref: 'INV-2' }] };
    await expect(calls.checkPayment()).rejects.toThrow(`There is no transaction T1 for ${orderId}`);
  });

  it('rejects the details of a transaction that is not the found transaction', async () => {
    provider.fake.body = (url: string) => ({
      success: true,
      data: url.includes('/transaction/detail') ? { ...usable, reference: 'T2' } : [usable],
    });
    await expect(calls.findPayment()).rejects.toThrow('GET /transaction/detail is not about T1');
  });

  it.each([
    ['no amount', { amount: '40.000' }, 'amount of a Tripay transaction is invalid'],
    ['another amount', { amount: 39_999 }, '39999 instead of 40000'],
    ['no way to pay', { pay_code: null }, 'no payment code'],
  ])('keeps the reference of a payment with %s', async (_what, changes, why) => {
    provider.fake.body = { success: true, data: { ...usable, ...changes } };
    expect(await calls.createPayment()).toEqual({ reference: 'T1', unusable: expect.stringContaining(why) });
  });

  it("shows the wallet's page rather than Tripay's", async () => {
    const pages = { pay_url: 'https://wallet.example/1', checkout_url: 'https://tripay.example/1' };
    provider.fake.body = { success: true, data: { ...usable, pay_code: '', ...pages } };
    expect(await calls.createPayment()).toEqual({
      ...{ reference: 'T1', code: pages.pay_url, url: pages.pay_url, qrString: null },
    });
  });

  it('names the unreachable address', async () => {
    await provider[Symbol.asyncDispose]();
    await expect(calls.findPayment()).rejects.toThrow(
      /^Tripay: GET \/merchant\/transactions could not be reached/,
    );
    provider = await startFake();
  });
});

describe('callbacks of Tripay', () => {
  const privateKey = 'ytf6ooi2gmlNPfpchd94jDOk8hRWOu';
  const { read, respond } = createTripayCallbacks([privateKey]);
  const published = '{"reference":"T0001000000000000006","merchant_ref":"INV55567","status":"PAID"}';
  const signature = 'aad6584c0cec833624f48e38b28ecb5538240be21b01b8b6c9f76fa5187e824e';
  const headers = { 'x-callback-event': 'payment_status', 'x-callback-signature': signature };
  const full = JSON.stringify({ ...JSON.parse(published), total_amount: 40_000, paid_at: 1_777_777_777 });
  const signed = (body: string) => ({
    body,
    headers: {
      ...headers,
      'x-callback-signature': createHmac('sha256', privateKey).update(body).digest('hex'),
    },
  });
  const readFrom = (callback: Parameters<typeof callbackOf>[0]) => read(callbackOf(callback));

  it('accepts the published signature on the sent bytes', () => {
    // Genuine, but without an amount: it passes the signature and not the body.
    expect(readFrom({ headers, body: published })).toEqual({
      ...{ state: 'rejected', status: 400, reason: 'The body has no valid total_amount.' },
    });
    const again = JSON.stringify(JSON.parse(published), null, 1);
    expect(readFrom({ headers, body: again })).toMatchObject({ state: 'rejected', status: 401 });
    expect(readFrom({ headers, body: full })).toMatchObject({ state: 'rejected', status: 401 });
  });

  it.each([
    [1030, 1030],
    [0, 0],
    [-1, undefined],
    ['1030', 1030],
    ['1.030', undefined],
    [undefined, undefined],
  ])("reads Tripay's fee if possible: %j", (total_fee, fee) => {
    const said = readFrom(signed(JSON.stringify({ ...JSON.parse(full), total_fee })));
    const report = { status: 'paid', amount: 40_000, at: 1_777_777_777_000, fee };
    const event = { reference: 'T0001000000000000006', orderId: 'INV55567', report, confirm: false };
    expect(said).toEqual({ state: 'event', event });
  });

  it('accepts callbacks about payments only', () => {
    const { headers: genuine, body } = signed(full);
    for (const event of [undefined, 'open_payment'])
      expect(readFrom({ headers: { ...genuine, 'x-callback-event': event }, body })).toEqual({
        ...{ state: 'rejected', status: 400, reason: 'X-Callback-Event is not payment_status.' },
      });
  });

  it.each([
    ['no signature', { 'x-callback-event': 'payment_status' }, 401],
    ['an empty signature', { ...headers, 'x-callback-signature': '' }, 401],
    ['a signature in capital letters', { ...headers, 'x-callback-signature': signature.toUpperCase() }, 401],
  ])('rejects callbacks with %s', (_what, sent, status) => {
    expect(readFrom({ headers: sent, body: published })).toMatchObject({ state: 'rejected', status });
  });

  it.each([
    ['no JSON', 'reference=T1'],
    ['no object', '[]'],
    ['an amount with a separator', full.replace('40000', '"40.000"')],
    ['a status that is not known', full.replace('PAID', 'LOST')],
    ['a time as text', full.replace('1777777777', '"now"')],
  ])('rejects signed callbacks with %s', (_what, body) => {
    const reading = readFrom(signed(body));
    expect(reading).toMatchObject({ state: 'rejected', status: 400 });
    expect(JSON.stringify(reading)).not.toMatch(/LOST|now|40.?000/);
  });

  it.each([
    ['PAID', 'paid', 1_777_777_777_000],
    ['FAILED', 'failed', null],
    ['EXPIRED', 'expired', null],
    ['REFUND', 'refunded', null],
  ] as const)('reads a callback with %s', (status, meaning, at) => {
    expect(readFrom(signed(full.replace('PAID', status)))).toMatchObject({
      event: { orderId: 'INV55567', report: { status: meaning, amount: 40_000, at } },
    });
  });

  it('accepts callbacks without an order or a time', () => {
    const body = full.replace('"INV55567"', 'null').replace('1777777777', 'null');
    expect(readFrom(signed(body))).toMatchObject({
      event: { orderId: null, report: { status: 'paid', at: null } },
    });
  });

  it('responds as Tripay documents', () => {
    for (const outcome of ['applied', 'unchanged', 'contradiction', 'reconciliation', 'ignored'] as const)
      expect(respond(outcome)).toEqual({ status: 200, body: { success: true } });
    const failure = { success: false, message: expect.any(String) };
    expect(respond('rejected', 401)).toEqual({ status: 401, body: failure });
    expect(respond('rejected', 400)).toEqual({ status: 400, body: failure });
    expect(respond('unmatched')).toEqual({ status: 404, body: failure });
    expect(respond('failed')).toEqual({ status: 503, body: failure });
  });
});
