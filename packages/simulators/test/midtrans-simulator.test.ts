import { createHash } from 'node:crypto';
import { notificationSignature } from '@topup-kit/providers/midtrans/signature';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startSimulated } from './helpers/simulators.ts';

const serverKey = 'askvnoibnosifnboseofinbofinfgbiufglnbfg';
const publishedSignature =
  'edc076b21793ebe3e17926350f5b8ae67d902fe657b3d0aa31b932d5c127e2375d308a2bc94f3265ac2d80a1f181a79b997ac178a236fcff35af263fc4d4c231';

let midtrans: Awaited<ReturnType<typeof startSimulated>>;
beforeEach(async () => {
  midtrans = await startSimulated('midtrans');
});
afterEach(() => midtrans[Symbol.asyncDispose]());

const authorization = { Authorization: `Basic ${Buffer.from(`${serverKey}:`).toString('base64')}` };

const details = (orderId: string, amount = 40_000) => ({
  transaction_details: { order_id: orderId, gross_amount: amount },
});

async function charge(body: object, headers: Record<string, string> = {}) {
  const response = await fetch(`${midtrans.baseUrl}/v2/charge`, {
    method: 'POST',
    headers: { ...authorization, 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: JSON.parse(await response.text()) };
}

const chargeQris = (orderId = 'INV-1', more: object = {}, headers: Record<string, string> = {}) =>
  charge({ payment_type: 'qris', ...details(orderId), ...more }, headers);

async function statusOf(orderId: string) {
  const response = await fetch(`${midtrans.baseUrl}/v2/${orderId}/status`, { headers: authorization });
  return JSON.parse(await response.text());
}

const notifications = () => midtrans.shop.received.map(({ body }) => JSON.parse(body));

const sha512 = (text: string): string => createHash('sha512').update(text).digest('hex');

it('signs the literal amount like Midtrans', () => {
  const facts = { orderId: '1111', statusCode: '200', grossAmount: '100000.00' };
  expect(notificationSignature(serverKey, facts)).toBe(publishedSignature);
});

describe('a charge of the Midtrans simulator', () => {
  it('returns a code and its picture for QRIS', async () => {
    const { body } = await charge({
      ...{ payment_type: 'qris', qris: { acquirer: 'gopay' }, ...details('INV-1', 789_000) },
    });

    expect(body).toMatchObject({
      status_code: '201',
      transaction_id: expect.any(String),
      order_id: 'INV-1',
      transaction_status: 'pending',
      gross_amount: '789000.00',
      actions: [{ name: 'generate-qr-code', url: expect.stringMatching(/^http/) }],
      qr_string: expect.stringMatching(/^000201/),
    });
    expect((await fetch(body.actions[0].url)).headers.get('Content-Type')).toBe('image/svg+xml');
  });

  it.each(['bca', 'bni', 'bri'])('returns the number for a virtual account of %s', async (bank) => {
    const { body } = await charge({
      ...{ payment_type: 'bank_transfer', bank_transfer: { bank }, ...details('INV-1') },
    });

    expect(body.va_numbers).toEqual([{ bank, va_number: expect.stringMatching(/^\d+$/) }]);
  });

  it('charges Mandiri as an echannel', async () => {
    expect((await charge({ payment_type: 'echannel', ...details('INV-1') })).body).toMatchObject({
      ...{ transaction_status: 'pending', bill_key: expect.any(String), biller_code: expect.any(String) },
    });
  });

  it.each([
    [
      'another server key',
      '401',
      {},
      { Authorization: `Basic ${Buffer.from('another:').toString('base64')}` },
    ],
    ['an order_id of 51 characters', '400', details('x'.repeat(51)), {}],
    ['an order_id with a slash', '400', details('INV/1'), {}],
    ['no amount', '400', { transaction_details: { order_id: 'INV-1' } }, {}],
    ['an unknown payment type', '400', { payment_type: 'none' }, {}],
    ['an unknown bank', '400', { payment_type: 'bank_transfer', bank_transfer: { bank: 'none' } }, {}],
  ])('rejects %s with %s', async (_what, code, more, headers) => {
    expect((await chargeQris('INV-1', more, headers)).body).toMatchObject({ status_code: code });
    expect(await midtrans.books()).toEqual({ payments: [], charged: 0 });
  });

  it('accepts an order_id of 50 characters with all allowed characters', async () => {
    expect((await chargeQris('Aa0-_~.'.padEnd(50, 'x'))).body.status_code).toBe('201');
  });

  it('accepts an order_id only once', async () => {
    await chargeQris();

    expect((await chargeQris()).body).toMatchObject({ status_code: '406' });
    expect((await midtrans.books()).payments).toHaveLength(1);
  });

  it.each([
    [undefined, 15 * 60],
    [{ expiry_duration: 30, unit: 'second' }, 30],
    [{ expiry_duration: 20, unit: 'minute' }, 20 * 60],
    [{ expiry_duration: 2, unit: 'hour' }, 7200],
    [{ expiry_duration: 1, unit: 'day' }, 86_400],
  ])('expires a charge with custom_expiry %j after %i seconds', async (custom_expiry, seconds) => {
    await chargeQris('INV-1', { custom_expiry });
    await midtrans.advance(seconds - 1);
    expect(await statusOf('INV-1')).toMatchObject({ transaction_status: 'pending' });
    await midtrans.advance(1);

    expect(await statusOf('INV-1')).toMatchObject({ transaction_status: 'expire' });
  });
});

describe('an Idempotency-Key', () => {
  const headers = { 'Idempotency-Key': 'key-1' };

  it('replays a successful response for five minutes', async () => {
    const first = await chargeQris('INV-1', {}, headers);
    await midtrans.advance(299);
    expect(await chargeQris('INV-1', {}, headers)).toEqual(first);
    await midtrans.advance(1);

    expect((await chargeQris('INV-1', {}, headers)).body.status_code).toBe('406');
  });

  it("doesn't store a failed response", async () => {
    expect((await chargeQris('INV/1', {}, headers)).body.status_code).toBe('400');
    expect((await chargeQris('INV-1', {}, headers)).body.status_code).toBe('201');
  });

  it('responds with 202 while the first request is in flight', async () => {
    await midtrans.fault('slow');
    const first = chargeQris('INV-1', {}, headers);
    while ((await midtrans.books()).payments.length === 0);

    expect((await chargeQris('INV-1', {}, headers)).status).toBe(202);
    await midtrans.advance(30);
    expect((await first).body.status_code).toBe('201');
    expect((await chargeQris('INV-1', {}, headers)).body).toEqual((await first).body);
  });
});

describe('the status of the Midtrans simulator', () => {
  it('finds a status by order_id, and puts 404 for an unknown order_id into the body', async () => {
    await chargeQris();

    expect(await statusOf('INV-1')).toMatchObject({ order_id: 'INV-1', transaction_status: 'pending' });
    expect(await statusOf('INV-2')).toMatchObject({ status_code: '404' });
  });

  it.each([
    ['pay', '200', 'settlement'],
    ['fail', '202', 'deny'],
    ['cancel', '200', 'cancel'],
    ['expire', '407', 'expire'],
  ])('returns after %s the status_code %s and %s', async (action, status_code, transaction_status) => {
    await chargeQris();
    await midtrans.act(action, { reference: 'INV-1' });

    expect(await statusOf('INV-1')).toMatchObject({ status_code, transaction_status });
  });
});

describe('a notification of the Midtrans simulator', () => {
  it("sends a payment's notification with the published signature", async () => {
    await charge({ payment_type: 'qris', ...details('1111', 100_000) });
    await midtrans.act('pay', { reference: '1111' });
    await midtrans.advance(0);

    expect(notifications()).toMatchObject([
      { transaction_status: 'pending', signature_key: sha512(`1111201100000.00${serverKey}`) },
      {
        ...{ transaction_status: 'settlement', status_code: '200', fraud_status: 'accept' },
        ...{ order_id: '1111', gross_amount: '100000.00', signature_key: publishedSignature },
      },
    ]);
    expect(await midtrans.books()).toMatchObject({ charged: 100_000 });
  });

  it('sends a notification to all addresses in X-Override-Notification', async () => {
    const { url } = midtrans.shop;
    await chargeQris('INV-1', {}, { 'X-Override-Notification': `${url}/one,${url}/two` });
    await midtrans.advance(0);

    expect(midtrans.shop.received.map(({ path }) => path).toSorted()).toEqual(['/one', '/two']);
  });

  it.each([
    [200, 0],
    [500, 1],
    [503, 4],
    [400, 2],
    [404, 2],
    [302, 5],
    [403, 5],
  ])('repeats a notification with the response %i %i times', async (status, times) => {
    midtrans.shop.answer.status = status;
    midtrans.shop.answer.headers = { Location: '/elsewhere' };
    await chargeQris('INV-1', { custom_expiry: { expiry_duration: 30, unit: 'day' } });
    await midtrans.advance(86_400);

    expect(midtrans.shop.received.map(({ path }) => path)).toEqual(Array(times + 1).fill('/callback'));
  });

  it('repeats a notification after 2, 10, 30, 90 and 210 minutes', async () => {
    midtrans.shop.answer.status = 403;
    await chargeQris('INV-1', { custom_expiry: { expiry_duration: 30, unit: 'day' } });
    await midtrans.advance(86_400);

    const times: number[] = (await midtrans.calls())
      .filter(({ direction }: { direction: string }) => direction === 'out')
      .map(({ at }: { at: number }) => at);
    expect(times.slice(1).map((at, index) => (at - (times[index] ?? 0)) / 60_000)).toEqual([
      2, 10, 30, 90, 210,
    ]);
  });

  it('sends a valid signature only in the repetition of an invalid notification', async () => {
    midtrans.shop.answer.status = 403;
    await midtrans.fault('bad-signature', { on: 'settlement' });
    await chargeQris();
    await midtrans.act('pay', { reference: 'INV-1' });
    await midtrans.advance(120);

    const right = sha512(`INV-120040000.00${serverKey}`);
    const settlements = notifications().filter(({ transaction_status: status }) => status === 'settlement');
    expect(settlements.map(({ signature_key: key }) => key === right)).toEqual([false, true]);
  });

  it('can send a notification before an older notification', async () => {
    await midtrans.fault('out-of-order', { on: 'pending' });
    await chargeQris();
    await midtrans.act('pay', { reference: 'INV-1' });
    await midtrans.advance(0);

    expect(notifications().map((one) => one.transaction_status)).toEqual(['settlement', 'pending']);
  });

  it('can send another amount, and a payment after the expiry', async () => {
    await midtrans.fault('wrong-amount');
    await chargeQris();
    await midtrans.advance(900);
    expect((await midtrans.act('pay', { reference: 'INV-1' })).status).toBe(409);
    await midtrans.act('pay', { reference: 'INV-1', late: true });
    await midtrans.advance(0);

    expect(notifications().at(-1)).toMatchObject({
      gross_amount: '39999.00',
      transaction_status: 'settlement',
    });
  });
});

it('pays back parts, reports their sum each time, and never pays back more than was paid', async () => {
  await chargeQris();
  const refund = (amount?: number) =>
    midtrans.act('refund', { reference: 'INV-1', ...(amount !== undefined && { amount }) });
  expect((await refund(1)).status).toBe(409);
  await midtrans.act('pay', { reference: 'INV-1' });
  expect((await refund(0)).status).toBe(409);
  expect((await refund(40_001)).status).toBe(409);
  await refund(10_000);
  const part = { transaction_status: 'partial_refund', status_code: '200', gross_amount: '40000.00' };
  expect(await statusOf('INV-1')).toMatchObject({
    ...{ ...part, refund_amount: '10000.00' },
    refunds: [{ refund_chargeback_id: 1, refund_amount: '10000.00' }],
  });
  await refund(5_000);
  await midtrans.advance(0);
  expect(notifications().at(-1)).toMatchObject({
    ...{ ...part, refund_amount: '15000.00' },
    refunds: [{ refund_amount: '10000.00' }, { refund_amount: '5000.00' }],
  });
  expect((await refund(25_001)).status).toBe(409);
  await refund();
  expect(await statusOf('INV-1')).toMatchObject({ transaction_status: 'refund', refund_amount: '40000.00' });
  expect((await refund(1)).status).toBe(409);
  expect((await midtrans.books()).payments).toMatchObject([{ refunded: 40_000 }]);
});
