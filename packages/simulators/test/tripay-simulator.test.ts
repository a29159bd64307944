import { createHmac } from 'node:crypto';
import { callbackSignature, requestSignature } from '@topup-kit/providers/tripay/signature';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { start, startSimulated } from './helpers/simulators.ts';

const privateKey = 'ytf6ooi2gmlNPfpchd94jDOk8hRWOu';
const publishedSignature = '9f167eba844d1fcb369404e2bda53702e2f78f7aa12e91da6715414e65b8c86a';
const hmac = (text: string): string => createHmac('sha256', privateKey).update(text).digest('hex');

let tripay: Awaited<ReturnType<typeof startSimulated>>;
beforeEach(async () => {
  tripay = await startSimulated('tripay');
});
afterEach(() => tripay[Symbol.asyncDispose]());

const authorization = { Authorization: 'Bearer DEV-simulated-api-key' };

async function get(path: string, headers: Record<string, string> = authorization) {
  const response = await fetch(tripay.baseUrl + path, { headers });
  return { status: response.status, body: JSON.parse(await response.text()) };
}

const order = (changes: Record<string, unknown> = {}): Record<string, unknown> => {
  const amount = Number(changes.amount ?? 40_000);
  const ref = String(changes.merchant_ref ?? 'INV-1');
  return {
    method: 'QRIS2',
    merchant_ref: ref,
    amount,
    customer_name: 'Budi',
    customer_email: 'budi@shop.example',
    order_items: [{ name: '86 Diamonds', price: amount, quantity: 1 }],
    signature: hmac(`T0001${ref}${amount}`),
    ...changes,
  };
};

async function create(changes: Record<string, unknown> = {}) {
  const response = await fetch(`${tripay.baseUrl}/transaction/create`, {
    method: 'POST',
    headers: { ...authorization, 'Content-Type': 'application/json' },
    body: JSON.stringify(order(changes)),
  });
  return { status: response.status, body: JSON.parse(await response.text()) };
}

const created = async (changes: Record<string, unknown> = {}) => (await create(changes)).body.data;

describe('signatures of Tripay', () => {
  it('signs a request like the published example', () => {
    const facts = { merchantCode: 'T0001', merchantRef: 'INV55567', amount: 1_500_000 };
    expect(requestSignature(privateKey, facts)).toBe(publishedSignature);
  });

  it('signs a callback over the raw body', () => {
    const body = '{"reference":"T0001000000000000006","merchant_ref":"INV55567","status":"PAID"}';
    expect(callbackSignature(privateKey, body)).toBe(
      'aad6584c0cec833624f48e38b28ecb5538240be21b01b8b6c9f76fa5187e824e',
    );
  });
});

describe('a transaction of the Tripay simulator', () => {
  it('creates a transaction with the published signature and the documented fields', async () => {
    const { status, body } = await create({
      ...{ merchant_ref: 'INV55567', amount: 1_500_000, signature: publishedSignature },
    });

    expect(status).toBe(200);
    expect(body).toMatchObject({
      success: true,
      message: expect.any(String),
      data: {
        reference: expect.any(String),
        merchant_ref: 'INV55567',
        payment_method: 'QRIS2',
        payment_name: 'QRIS',
        amount: 1_500_000,
        fee_merchant: 11_250,
        fee_customer: 0,
        total_fee: 11_250,
        amount_received: 1_488_750,
        pay_code: null,
        pay_url: null,
        checkout_url: expect.stringMatching(/^http/),
        status: 'UNPAID',
        expired_time: start / 1000 + 1440 * 60,
        instructions: expect.any(Array),
        qr_string: expect.stringMatching(/^000201/),
        qr_url: expect.stringMatching(/^http/),
      },
    });
    expect((await fetch(body.data.qr_url)).headers.get('Content-Type')).toBe('image/svg+xml');
    expect((await fetch(body.data.checkout_url)).status).toBe(200);
  });

  it('creates a transaction from a form as well', async () => {
    const { order_items: _items, ...fields } = order();
    const response = await fetch(`${tripay.baseUrl}/transaction/create`, {
      method: 'POST',
      headers: authorization,
      body: new URLSearchParams({
        ...Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, String(value)])),
        'order_items[0][name]': '86 Diamonds',
        'order_items[0][price]': '20000',
        'order_items[0][quantity]': '2',
      }),
    });

    expect(await response.json()).toMatchObject({ success: true, data: { amount: 40_000 } });
  });

  it.each([
    ['without the API key', 401, {}, { Authorization: 'Bearer another' }],
    ['with a wrong signature', 400, { signature: hmac('T0001INV-140001') }, {}],
    [
      'whose amount is not the sum of its items',
      400,
      { order_items: [{ name: 'x', price: 1, quantity: 1 }] },
      {},
    ],
    ['whose amount is not a whole number', 400, { amount: 40_000.5 }, {}],
    ['without a name', 400, { customer_name: undefined }, {}],
    ['without an e-mail address', 400, { customer_email: undefined }, {}],
    ['without items', 400, { order_items: [] }, {}],
    ['with an unknown channel', 400, { method: 'NONE' }, {}],
    ['with a wallet but no phone number', 400, { method: 'DANA' }, {}],
  ])('rejects a transaction %s', async (_why, status, changes, headers) => {
    const response = await fetch(`${tripay.baseUrl}/transaction/create`, {
      method: 'POST',
      headers: { ...authorization, 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(order(changes)),
    });

    expect(response.status).toBe(status);
    expect(await response.json()).toEqual({ success: false, message: expect.any(String) });
    expect(await tripay.books()).toEqual({ payments: [], charged: 0 });
  });

  it.each([
    ['QRIS', 10, 60],
    ['QRIS2', 10, 1440],
    ['QRISC', 10, 1440],
    ['DANA', 15, 60],
    ['SHOPEEPAY', 15, 60],
    ['BSIVA', 60, 180],
    ['MUAMALATVA', 60, 180],
  ])('expires a transaction of %s after %i to %i minutes', async (method, least, most) => {
    const inMinutes = async (minutes: number) =>
      (await create({ method, customer_phone: '0812', expired_time: start / 1000 + minutes * 60 })).status;

    expect(await Promise.all([least - 2, least, most, most + 2].map(inMinutes))).toEqual([
      400, 200, 200, 400,
    ]);
  });

  it('has a pay_code for a virtual account, and a pay_url for a wallet', async () => {
    expect(await created({ method: 'BNIVA' })).toMatchObject({ pay_code: expect.any(String), pay_url: null });
    expect(await created({ method: 'DANA', customer_phone: '0812' })).toMatchObject({
      ...{ pay_code: null, pay_url: expect.stringMatching(/^http/) },
    });
  });

  it("accepts a repeated merchant_ref, because the documentation doesn't require uniqueness", async () => {
    expect(await created()).not.toHaveProperty('reference', (await created()).reference);
    expect((await get('/merchant/transactions?merchant_ref=INV-1')).body.data).toHaveLength(2);
  });

  it('finds a transaction by its reference, and in the list by merchant_ref', async () => {
    const { reference } = await created();
    await created({ merchant_ref: 'INV-2' });

    expect((await get(`/transaction/detail?reference=${reference}`)).body.data).toMatchObject({
      status: 'UNPAID',
    });
    expect((await get(`/transaction/check-status?reference=${reference}`)).body).toEqual({
      ...{ success: true, message: expect.stringContaining('UNPAID') },
    });
    const { body } = await get('/merchant/transactions?merchant_ref=INV-1&page=1&per_page=10');
    expect(body.data).toEqual([expect.objectContaining({ reference, merchant_ref: 'INV-1' })]);
    expect((await get('/transaction/detail?reference=none')).body).toMatchObject({ success: false });
  });

  it('lists channels, fees and instructions', async () => {
    expect((await get('/merchant/payment-channel?code=QRIS2')).body.data).toEqual([
      {
        ...{ group: 'E-Wallet', code: 'QRIS2', name: 'QRIS', type: 'direct', active: true },
        ...{ minimum_fee: null, maximum_fee: null, minimum_amount: 1000, maximum_amount: 5_000_000 },
        fee_merchant: { flat: 750, percent: '0.70' },
        fee_customer: { flat: 0, percent: '0.00' },
        total_fee: { flat: 750, percent: '0.70' },
        icon_url: expect.stringMatching(/^http/),
      },
    ]);
    expect((await get('/merchant/fee-calculator?code=QRIS2&amount=100000')).body.data).toMatchObject([
      { code: 'QRIS2', total_fee: { merchant: 1450 } },
    ]);
    expect((await get('/payment/instruction?code=BNIVA&pay_code=88')).body.success).toBe(true);
  });
});

describe('a callback of the Tripay simulator', () => {
  it('sends a callback for a payment, signed over the raw body', async () => {
    const { reference } = await created();
    await tripay.act('pay', { reference });
    await tripay.advance(0);

    const [callback] = tripay.shop.received;
    expect(callback?.headers).toMatchObject({
      'x-callback-event': 'payment_status',
      'x-callback-signature': hmac(callback?.body ?? ''),
    });
    expect(JSON.parse(callback?.body ?? '')).toEqual({
      reference,
      merchant_ref: 'INV-1',
      payment_method: 'QRIS',
      payment_method_code: 'QRIS2',
      total_amount: 40_000,
      fee_merchant: 1030,
      fee_customer: 0,
      total_fee: 1030,
      amount_received: 38_970,
      is_closed_payment: 1,
      status: 'PAID',
      paid_at: start / 1000,
      note: null,
    });
    expect(await tripay.books()).toMatchObject({ charged: 40_000, payments: [{ paid_amounts: [40_000] }] });
  });

  it('sends a callback to the callback_url of its transaction', async () => {
    const { reference } = await created({ callback_url: `${tripay.shop.url}/own` });
    await tripay.act('pay', { reference });
    await tripay.advance(0);

    expect(tripay.shop.received.map(({ path }) => path)).toEqual(['/own']);
  });

  it('sends a callback three times in total, two minutes apart, unless the response is {"success":true}', async () => {
    tripay.shop.answer.body = '{"success":false}';
    const { reference } = await created();
    await tripay.act('pay', { reference });
    const counts: number[] = [];
    for (const seconds of [0, 119, 1, 119, 1, 3600]) {
      await tripay.advance(seconds);
      counts.push(tripay.shop.received.length);
    }

    expect(counts).toEqual([1, 1, 2, 2, 3, 3]);
    expect(new Set(tripay.shop.received.map(({ body }) => body)).size).toBe(1);
  });

  it('doesn\'t repeat a callback after {"success":true}', async () => {
    const { reference } = await created();
    await tripay.act('pay', { reference });
    await tripay.advance(3600);

    expect(tripay.shop.received).toHaveLength(1);
  });

  it.each([
    ['fail', 'FAILED'],
    ['expire', 'EXPIRED'],
  ])('sends for %s the status %s', async (action, status) => {
    const { reference } = await created();
    await tripay.act(action, { reference });
    await tripay.advance(0);

    expect(JSON.parse(tripay.shop.received[0]?.body ?? '')).toMatchObject({ status, paid_at: null });
  });

  it('sends a refund after a payment', async () => {
    const { reference } = await created();
    expect((await tripay.act('refund', { reference })).status).toBe(409);
    await tripay.act('pay', { reference });
    await tripay.act('refund', { reference });
    await tripay.advance(0);

    expect(tripay.shop.received.map(({ body }) => JSON.parse(body).status)).toEqual(['PAID', 'REFUND']);
  });

  it('sends a callback when a transaction expires', async () => {
    const { reference } = await created({ method: 'QRIS' });
    await tripay.advance(3600);

    expect(JSON.parse(tripay.shop.received[0]?.body ?? '')).toMatchObject({ reference, status: 'EXPIRED' });
    expect((await tripay.act('pay', { reference })).status).toBe(409);
    expect((await tripay.act('pay', { reference, late: true })).body).toMatchObject({ status: 'PAID' });
  });
});
