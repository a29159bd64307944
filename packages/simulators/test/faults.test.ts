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
  it('executes the request of lost-response and closes the connection, once', async () => {
    await tripay.fault('lost-response', { on: 'create' });

    await expect(send()).rejects.toThrow();
    expect((await tripay.books()).payments).toHaveLength(1);
    expect((await send()).status).toBe(200);
  });

  it('limits lost-response to one operation', async () => {
    await tripay.fault('lost-response', { on: 'detail' });

    expect((await send()).status).toBe(200);
  });

  it("doesn't execute the request of error-500, as often as requested", async () => {
    await tripay.fault('error-500', { times: 2 });

    expect([(await send()).status, (await send()).status, (await send()).status]).toEqual([500, 500, 200]);
    expect((await tripay.books()).payments).toHaveLength(1);
  });

  it('executes the request of slow and responds 30 seconds later', async () => {
    await tripay.fault('slow');
    let ended = false;
    const response = send().finally(() => (ended = true));
    while ((await tripay.books()).payments.length === 0);
    await tripay.advance(29);
    expect(ended).toBe(false);
    await tripay.advance(1);

    expect((await response).status).toBe(200);
  });

  it('closes the simulators without waiting for slow, and sends its response then', async () => {
    await tripay.fault('slow');
    const response = send();
    while ((await tripay.books()).payments.length === 0);
    await tripay.simulators.close();

    expect((await response).status).toBe(200);
  });

  it('sends no callback for lost-callback', async () => {
    await tripay.fault('lost-callback');
    await paid();
    await tripay.advance(86_000);

    expect(tripay.shop.received).toEqual([]);
    expect(await tripay.books()).toMatchObject({ charged: 40_000 });
  });

  it('sends late-callback 10 minutes later', async () => {
    await tripay.fault('late-callback');
    await paid();
    await tripay.advance(599);
    expect(statuses()).toEqual([]);
    await tripay.advance(1);

    expect(statuses()).toEqual(['PAID']);
  });

  it('sends duplicate-callback twice', async () => {
    await tripay.fault('duplicate-callback');
    await paid();
    await tripay.advance(0);

    expect(statuses()).toEqual(['PAID', 'PAID']);
    expect(tripay.shop.received[0]?.body).toBe(tripay.shop.received[1]?.body);
  });

  it('sends a callback after the next callback for out-of-order', async () => {
    await tripay.fault('out-of-order');
    const reference = await paid();
    await tripay.act('refund', { reference });
    await tripay.advance(0);

    expect(statuses()).toEqual(['REFUND', 'PAID']);
  });

  it('sends a callback 10 minutes later for out-of-order if no other callback follows', async () => {
    await tripay.fault('out-of-order');
    await paid();
    await tripay.advance(599);
    expect(statuses()).toEqual([]);
    await tripay.advance(1);

    expect(statuses()).toEqual(['PAID']);
  });

  it('spoils only the first attempt for bad-signature', async () => {
    tripay.shop.answer.status = 403;
    await tripay.fault('bad-signature');
    await paid();
    await tripay.advance(120);

    const valid = tripay.shop.received.map(
      ({ headers, body }) => headers['x-callback-signature'] === hmac(body),
    );
    expect(valid).toEqual([false, true]);
  });

  it('books and reports a payment of 1 rupiah less for wrong-amount', async () => {
    await tripay.fault('wrong-amount');
    await paid();
    await tripay.advance(0);

    expect(JSON.parse(tripay.shop.received[0]?.body ?? '')).toMatchObject({
      total_amount: 39_999,
      status: 'PAID',
    });
    expect(await tripay.books()).toMatchObject({ charged: 39_999 });
  });

  it('makes total_amount differ from the order for customer-fees', async () => {
    await tripay.fault('customer-fees');
    await paid();
    await tripay.advance(0);

    expect(JSON.parse(tripay.shop.received[0]?.body ?? '')).toMatchObject({
      ...{ total_amount: 41_030, fee_customer: 1030, fee_merchant: 0, amount_received: 40_000 },
    });
  });

  it('rejects an unknown fault, and lists the known faults', async () => {
    const { status, body } = await tripay.fault('none');

    expect(status).toBe(400);
    expect(body.error).toContain('lost-response');
  });
});

describe('the control routes', () => {
  it('list calls in both directions with their bodies', async () => {
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
  ])('reject requests from a page of another site because of its %s', async (name, value) => {
    const response = await fetch(`${tripay.simulators.url}/control/faults`, {
      method: 'POST',
      headers: { 'Content-Type': 'text/plain', [name]: value },
      body: '{"provider":"tripay","fault":"slow"}',
    });

    expect(response.status).toBe(403);
  });

  it('reject a body that is too long, like the providers', async () => {
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

  it("shows every call, and never renders a call's content as markup", async () => {
    await fetch(`${tripay.baseUrl}/transaction/create`, { method: 'POST', body: '<script>x</script>' });
    const text = await (await fetch(tripay.simulators.url)).text();

    expect(text).toContain('/tripay/api/transaction/create');
    expect(text).toContain('&lt;script&gt;');
    expect(text).not.toContain('<script>');
  });
});
