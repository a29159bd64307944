import { createHmac } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startSimulated } from './helpers/simulators.ts';

let tripay: Awaited<ReturnType<typeof startSimulated>>;
beforeEach(async () => {
  tripay = await startSimulated('tripay');
});
afterEach(() => tripay[Symbol.asyncDispose]());

const authorization = { Authorization: 'Bearer DEV-simulated-api-key' };

async function create(ref: string, changes: object = {}) {
  const signature = createHmac('sha256', 'ytf6ooi2gmlNPfpchd94jDOk8hRWOu')
    .update(`T0001${ref}40000`)
    .digest('hex');
  const response = await fetch(`${tripay.baseUrl}/transaction/create`, {
    method: 'POST',
    headers: authorization,
    body: JSON.stringify({
      ...{
        method: 'QRIS2',
        merchant_ref: ref,
        amount: 40_000,
        customer_name: 'Budi',
        customer_email: 'b@c.example',
      },
      order_items: [{ name: '86 Diamonds', price: 20_000, quantity: 2 }],
      signature,
      ...changes,
    }),
  });
  return (await response.json()).data;
}

const pageAt = async (path: string) => {
  const response = await fetch(tripay.simulators.url + path);
  return { status: response.status, text: await response.text() };
};

describe('the list of transactions of Tripay', () => {
  const list = async (query: string) => {
    const response = await fetch(`${tripay.baseUrl}/merchant/transactions${query}`, {
      headers: authorization,
    });
    const { data, pagination } = await response.json();
    return [data.map((row: { merchant_ref: string }) => row.merchant_ref), pagination];
  };
  const pageOf = (
    current: number,
    previous: number | null,
    next: number | null,
    from: number,
    to: number,
    sort = 'desc',
  ) =>
    expect.objectContaining({
      ...{ sort, offset: { from, to }, current_page: current, previous_page: previous, next_page: next },
      ...{ last_page: 2, per_page: 2, total_records: 3 },
    });

  it('lists pages, newest first or last', async () => {
    for (const ref of ['INV-1', 'INV-2', 'INV-3']) await create(ref);
    expect(await list('?per_page=2')).toEqual([['INV-3', 'INV-2'], pageOf(1, null, 2, 1, 2)]);
    expect(await list('?per_page=2&page=2')).toEqual([['INV-1'], pageOf(2, 1, null, 3, 3)]);
    expect(await list('?per_page=2&sort=asc')).toEqual([['INV-1', 'INV-2'], pageOf(1, null, 2, 1, 2, 'asc')]);
    expect((await list('?page=x&per_page=x'))[1]).toMatchObject({ current_page: 1, per_page: 25 });
    expect((await list('?per_page=1000'))[1]).toMatchObject({ per_page: 50 });
    expect((await list('?status=PAID'))[0]).toEqual([]);
    expect((await list('?method=QRIS2&merchant_ref=INV-2'))[0]).toEqual(['INV-2']);
  });
});

it('rejects unknown parameters like Tripay', async () => {
  const messageAt = async (path: string) => {
    const response = await fetch(tripay.baseUrl + path, { headers: authorization });
    return [response.status, (await response.json()).message];
  };
  expect(await messageAt('/transaction/detail?reference=none')).toEqual([404, 'Transaction not found']);
  expect(await messageAt('/payment/instruction?code=NONE')).toEqual([
    400,
    'Payment channel is not available',
  ]);
  expect(await messageAt('/payment/instruction')).toEqual([400, 'Payment channel is not available']);
  for (const amount of ['0', '-1', '1.5', 'x'])
    expect(await messageAt(`/merchant/fee-calculator?amount=${amount}`)).toEqual([
      400,
      'amount must be a whole number',
    ]);
  expect(await messageAt('/nothing')).toEqual([404, 'Tripay has no such route here.']);
});

it("includes the customer's fee in the amount", async () => {
  await tripay.fault('customer-fees');
  expect(await create('INV-1')).toMatchObject({
    ...{ amount: 41_030, fee_merchant: 0, fee_customer: 1_030, total_fee: 1_030, amount_received: 40_000 },
  });
});

describe('the control routes', () => {
  it('names unknown providers and actions in control routes', async () => {
    const { reference } = await create('INV-1');
    expect(await tripay.act('fly')).toEqual({
      status: 404,
      body: { error: `Tripay can't do "fly"; it can pay, fail, expire, refund.` },
    });
    const unknown = await tripay.control('nobody/pay');
    expect(unknown.status).toBe(404);
    expect(unknown.body.error).toMatch(/^Unknown provider "nobody"\. The providers are .*, .*\.$/);
    expect(await tripay.act('pay', { reference: 'none' })).toMatchObject({
      status: 404,
      body: { error: 'Tripay has no transaction none.' },
    });
    await tripay.act('pay', { reference });
    expect((await tripay.act('expire', { reference })).body.error).toBe(
      `${reference} is PAID; it must be UNPAID.`,
    );
    const response = await fetch(`${tripay.simulators.url}/control/tripay/pay`, {
      method: 'POST',
      body: '[]',
    });
    expect([response.status, await response.json()]).toEqual([
      400,
      { error: 'The body must be a JSON object.' },
    ]);
  });

  it('keeps faults until they are cleared', async () => {
    const planned = { provider: 'tripay', fault: 'slow', times: 2, on: 'list' };
    expect((await tripay.fault('slow', { times: 2, on: 'list' })).body).toEqual({ planned: [planned] });
    const { body } = await tripay.control('faults', {}, 'GET');
    expect(body).toEqual({
      planned: [planned],
      faults: expect.objectContaining({ slow: expect.anything() }),
    });
    expect((await tripay.control('faults', {}, 'DELETE')).body).toEqual({ planned: [] });
    expect((await tripay.control('faults', {}, 'GET')).body.planned).toEqual([]);
  });
});

describe('the pages', () => {
  it('shows an empty page at first', async () => {
    const { text } = await pageAt('/');
    expect(text).toContain('<title>Provider simulators</title>');
    expect(text).toContain('There are none yet.');
    expect(text).toContain('<h2>Tripay</h2>');
    expect(text).not.toContain('Payments of Tripay');
  });

  it('shows payments, planned faults and calls', async () => {
    const { reference } = await create('INV-1');
    await tripay.act('pay', { reference });
    await tripay.advance(0);
    await tripay.fault('slow', { times: 2 });
    const { text } = await pageAt('/');
    expect(text).toContain('Payments of Tripay');
    expect(text).toContain(`<a href="/pay/tripay/${reference}">${reference}</a>`);
    expect(text).toContain('Planned: tripay slow, 2 times');
    expect(text).toContain('<td>05:00:00</td>');
    expect(text).not.toContain('There are none yet.');
    expect(text).not.toContain('(attempt');
  });

  it('shows the attempt number of each callback', async () => {
    tripay.shop.answer.body = '{"success":false}';
    const { reference } = await create('INV-1');
    await tripay.act('pay', { reference });
    await tripay.advance(120);
    expect((await pageAt('/')).text).toContain('(attempt 2)');
  });

  it('shows how to pay, and the actions for a payment', async () => {
    const qris = await create('INV-1', { return_url: 'https://shop.example/back' });
    const account = await create('INV-2', { method: 'BNIVA' });
    const { text } = await pageAt(`/pay/tripay/${qris.reference}`);
    expect(text).toContain('aria-label="QR code"');
    expect(text).toContain('<a href="https://shop.example/back">Back to the shop</a>');
    expect(text).not.toContain('<p><code>');
    for (const button of ['Pay', 'Let it fail', 'Let it expire', 'Refund'])
      expect(text).toContain(`<button>${button}</button>`);
    const other = (await pageAt(`/pay/tripay/${account.reference}`)).text;
    expect(other).toContain(`<code>${account.pay_code}</code>`);
    expect(other).not.toContain('aria-label="QR code"');
    expect(other).not.toContain('Back to the shop');
    expect((await pageAt(`/qr/tripay/${account.reference}`)).status).toBe(404);
    expect((await pageAt('/pay/tripay/none')).status).toBe(404);
  });

  it("returns to the payment's page after a form was sent", async () => {
    const { reference } = await create('INV-1');
    const response = await fetch(`${tripay.simulators.url}/control/tripay/pay`, {
      method: 'POST',
      body: new URLSearchParams({ reference }),
      redirect: 'manual',
    });
    expect([response.status, response.headers.get('Location')]).toEqual([303, `/pay/tripay/${reference}`]);
    expect(await tripay.books()).toMatchObject({ charged: 40_000 });
  });
});
