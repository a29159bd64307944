import { createHmac } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startSimulated } from './helpers/simulators.ts';

const privateKey = 'ytf6ooi2gmlNPfpchd94jDOk8hRWOu';
const hmac = (text: string): string => createHmac('sha256', privateKey).update(text).digest('hex');

let tripay: Awaited<ReturnType<typeof startSimulated>>;
beforeEach(async () => {
  tripay = await startSimulated('tripay');
});
afterEach(() => tripay[Symbol.asyncDispose]());

const send = () =>
  fetch(`${tripay.baseUrl}/transaction/create`, {
    method: 'POST',
    headers: { Authorization: 'Bearer DEV-simulated-api-key', 'Content-Type': 'application/json' },
    body: JSON.stringify({
      ...{ method: 'QRIS2', merchant_ref: 'INV-1', amount: 40_000 },
      ...{ customer_name: 'Budi', customer_email: 'budi@shop.example' },
      order_items: [{ name: '86 Diamonds', price: 40_000, quantity: 1 }],
      signature: hmac('T0001INV-140000'),
    }),
  });

/** A transaction, paid; its callbacks are on their way. */
async function paid(): Promise<string> {
  const { data } = JSON.parse(await (await send()).text());
  await tripay.act('pay', { reference: data.reference });
  return data.reference;
}

const statuses = () => tripay.shop.received.map(({ body }) => JSON.parse(body).status);

describe('the fault', () => {
  it('lost-response carries the request out and closes the connection, once', async () => {
    await tripay.fault('lost-response', { on: 'create' });

    await expect(send()).rejects.toThrow();
    expect((await tripay.books()).payments).toHaveLength(1);
    expect((await send()).status).toBe(200);
  });

  it('lost-response for one operation leaves the others alone', async () => {
    await tripay.fault('lost-response', { on: 'detail' });

    expect((await send()).status).toBe(200);
  });

  it('error-500 does not carry the request out, as often as was said', async () => {
    await tripay.fault('error-500', { times: 2 });

    expect([(await send()).status, (await send()).status, (await send()).status]).toEqual([500, 500, 200]);
    expect((await tripay.books()).payments).toHaveLength(1);
  });

  it('slow carries the request out and responds 30 seconds later', async () => {
    await tripay.fault('slow');
    let ended = false;
    const response = send().finally(() => (ended = true));
    while ((await tripay.books()).payments.length === 0);
    await tripay.advance(29);
    expect(ended).toBe(false);
    await tripay.advance(1);

    expect((await response).status).toBe(200);
  });

  it('slow does not keep the simulators from closing: its response comes then', async () => {
    await tripay.fault('slow');
    const response = send();
    while ((await tripay.books()).payments.length === 0);
    await tripay.simulators.close();

    expect((await response).status).toBe(200);
  });

  it('lost-callback sends nothing at all', async () => {
    await tripay.fault('lost-callback');
    await paid();
    await tripay.advance(86_000);

    expect(tripay.shop.received).toEqual([]);
    expect(await tripay.books()).toMatchObject({ charged: 40_000 });
  });

  it('late-callback sends it 10 minutes later', async () => {
    await tripay.fault('late-callback');
    await paid();
    await tripay.advance(599);
    expect(statuses()).toEqual([]);
    await tripay.advance(1);

    expect(statuses()).toEqual(['PAID']);
  });

  it('duplicate-callback sends the same twice', async () => {
    await tripay.fault('duplicate-callback');
    await paid();
    await tripay.advance(0);

    expect(statuses()).toEqual(['PAID', 'PAID']);
    expect(tripay.shop.received[0]?.body).toBe(tripay.shop.received[1]?.body);
  });

  it('out-of-order sends a callback after its successor', async () => {
    await tripay.fault('out-of-order');
    const reference = await paid();
    await tripay.act('refund', { reference });
    await tripay.advance(0);

    expect(statuses()).toEqual(['REFUND', 'PAID']);
  });

  it('out-of-order sends a callback without a successor 10 minutes later', async () => {
    await tripay.fault('out-of-order');
    await paid();
    await tripay.advance(599);
    expect(statuses()).toEqual([]);
    await tripay.advance(1);

    expect(statuses()).toEqual(['PAID']);
  });

  it('bad-signature spoils the first attempt alone', async () => {
    tripay.shop.answer.status = 403;
    await tripay.fault('bad-signature');
    await paid();
    await tripay.advance(120);

    const valid = tripay.shop.received.map(
      ({ headers, body }) => headers['x-callback-signature'] === hmac(body),
    );
    expect(valid).toEqual([false, true]);
  });

  it('wrong-amount books and tells a payment of 1 rupiah less', async () => {
    await tripay.fault('wrong-amount');
    await paid();
    await tripay.advance(0);

    expect(JSON.parse(tripay.shop.received[0]?.body ?? '')).toMatchObject({
      total_amount: 39_999,
      status: 'PAID',
    });
    expect(await tripay.books()).toMatchObject({ charged: 39_999 });
  });

  it('customer-fees makes total_amount differ from the order', async () => {
    await tripay.fault('customer-fees');
    await paid();
    await tripay.advance(0);

    expect(JSON.parse(tripay.shop.received[0]?.body ?? '')).toMatchObject({
      ...{ total_amount: 41_030, fee_customer: 1030, fee_merchant: 0, amount_received: 40_000 },
    });
  });

  it('that does not exist is rejected, with the names of those that do', async () => {
    const { status, body } = await tripay.fault('none');

    expect(status).toBe(400);
    expect(body.error).toContain('lost-response');
  });
});

describe('the control routes', () => {
  it('list calls in both directions, with what was sent and received', async () => {
    await paid();
    await tripay.advance(0);

    expect(await tripay.calls()).toMatchObject([
      {
        direction: 'in',
        operation: 'create',
        method: 'POST',
        url: '/tripay/api/transaction/create',
        status: 200,
      },
      { direction: 'out', operation: 'PAID', attempt: 1, status: 200, response: '{"success":true}' },
    ]);
  });

  it.each([
    ['Origin', 'https://elsewhere.example'],
    ['Sec-Fetch-Site', 'cross-site'],
  ])('reject what a page of another site sends, by its %s', async (name, value) => {
    const response = await fetch(`${tripay.simulators.url}/control/faults`, {
      method: 'POST',
      headers: { 'Content-Type': 'text/plain', [name]: value },
      body: '{"provider":"tripay","fault":"slow"}',
    });

    expect(response.status).toBe(403);
  });

  it('reject a body that is too long, as the providers do', async () => {
    const body = 'x'.repeat(70_000);
    const status = async (url: string) => (await fetch(url, { method: 'POST', body })).status;

    expect(await status(`${tripay.baseUrl}/transaction/create`)).toBe(413);
    expect(await status(`${tripay.simulators.url}/control/faults`)).toBe(400);
  });
});

describe('the page', () => {
  it('pays a payment with a form, and allows nothing but its own style and forms', async () => {
    const { data } = JSON.parse(await (await send()).text());
    const page = await fetch(data.checkout_url);
    const text = await page.text();

    expect(page.headers.get('Content-Security-Policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
    );
    expect(text).toContain('Rp 40.000');
    expect(text).toContain('action="/control/tripay/pay"');
    const answer = await fetch(`${tripay.simulators.url}/control/tripay/pay`, {
      method: 'POST',
      body: new URLSearchParams({ reference: data.reference }),
      redirect: 'manual',
    });
    expect([answer.status, answer.headers.get('Location')]).toEqual([303, `/pay/tripay/${data.reference}`]);
    expect(await tripay.books()).toMatchObject({ charged: 40_000 });
  });

  it('shows every call, and nothing of a call as markup', async () => {
    await fetch(`${tripay.baseUrl}/transaction/create`, { method: 'POST', body: '<script>x</script>' });
    const text = await (await fetch(tripay.simulators.url)).text();

    expect(text).toContain('/tripay/api/transaction/create');
    expect(text).toContain('&lt;script&gt;');
    expect(text).not.toContain('<script>');
  });
});
