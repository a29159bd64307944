import { createHash, createHmac } from 'node:crypto';
import { requestSignature, webhookSignature } from '@topup-kit/providers/digiflazz/signature';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startSimulated } from './helpers/simulators.ts';

const md5 = (text: string): string => createHash('md5').update(text).digest('hex');
const publishedSign = 'e54414720db8e70813b0ad379c9d1d7f';

let digiflazz: Awaited<ReturnType<typeof startSimulated>>;
beforeEach(async () => {
  digiflazz = await startSimulated('digiflazz');
});
afterEach(() => digiflazz[Symbol.asyncDispose]());

async function post(path: string, body: object) {
  const response = await fetch(digiflazz.baseUrl + path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  return JSON.parse(await response.text()).data;
}

const transact = (changes: Record<string, unknown> = {}) =>
  post('/transaction', {
    ...{ username: 'username', buyer_sku_code: 'ml86', customer_no: '123456782012', ref_id: 'INV-1-1' },
    sign: md5(`usernameapikey${changes.ref_id ?? 'INV-1-1'}`),
    ...changes,
  });

const listPrices = (more: object = {}) =>
  post('/price-list', {
    cmd: 'prepaid',
    username: 'username',
    sign: md5('usernameapikeypricelist'),
    ...more,
  });

const balance = async (): Promise<number> =>
  (await post('/cek-saldo', { cmd: 'deposit', username: 'username', sign: md5('usernameapikeydepo') }))
    .deposit;

const webhooks = () =>
  digiflazz.shop.received.map(({ headers, body }) => ({
    event: headers['x-digiflazz-event'],
    ...JSON.parse(body).data,
  }));

describe('signatures of Digiflazz', () => {
  it('signs a request with the md5 of user name, key and subject', () => {
    expect(requestSignature('username', 'apikey', 'test1')).toBe(publishedSign);
  });

  it('signs a webhook over the raw body', () => {
    expect(webhookSignature('somesecretvalue', '{"data":{"ref_id":"test1","status":"Sukses"}}')).toBe(
      'sha1=3549dbabc5131992a7cf24b85f2d8a6aa805dd6f',
    );
  });
});

describe('a transaction of the Digiflazz simulator', () => {
  it('accepts a transaction with the checked signature, and reports it as pending at first', async () => {
    expect(await transact({ ref_id: 'test1', sign: publishedSign, max_price: 19_500 })).toEqual({
      ref_id: 'test1',
      customer_no: '123456782012',
      buyer_sku_code: 'ml86',
      message: expect.any(String),
      status: 'Pending',
      rc: '03',
      sn: '',
      buyer_last_saldo: 10_000_000 - 19_500,
      price: 19_500,
    });
  });

  it('completes a transaction a moment later, with a serial number', async () => {
    await transact();
    await digiflazz.advance(60);

    expect(await transact()).toMatchObject({ status: 'Sukses', rc: '00', sn: expect.stringMatching(/./) });
    expect(await digiflazz.books()).toMatchObject({ purchases: [{ ref_id: 'INV-1-1' }], spent: 19_500 });
  });

  it.each([
    ['a wrong signature', '41', { sign: md5('another') }],
    ['another user name', '41', { username: 'another' }],
    ['no target', '40', { customer_no: '' }],
    ['an unknown product', '43', { buyer_sku_code: 'none' }],
    ['a price above max_price', '69', { max_price: 19_499 }],
  ])('fails %s with rc %s, and buys nothing', async (_what, rc, changes) => {
    expect(await transact(changes)).toMatchObject({ status: 'Gagal', rc });
    expect(await digiflazz.books()).toMatchObject({ purchases: [], balance: 10_000_000 });
  });

  it.each([
    ['44', 'balance', { balance: 19_499 }],
    ['43', 'product', { buyer_sku_code: 'ml86', buyer_product_status: false }],
    ['53', 'product', { buyer_sku_code: 'ml86', seller_product_status: false }],
    ['68', 'product', { buyer_sku_code: 'ml86', unlimited_stock: false, stock: 0 }],
    ['58', 'product', { buyer_sku_code: 'ml86', start_cut_off: '11:30', end_cut_off: '12:30' }],
    ['58', 'product', { buyer_sku_code: 'ml86', start_cut_off: '23:00', end_cut_off: '12:30' }],
  ])(
    'fails with rc %s while the %s is in that state, and accepts a repetition afterwards',
    async (rc, action, state) => {
      await digiflazz.act(action, state);

      expect(await transact()).toMatchObject({ status: 'Gagal', rc });
      expect((await digiflazz.books()).purchases).toEqual([]);
    },
  );

  it('accepts a transaction outside the cut-off hours', async () => {
    await digiflazz.act('product', { buyer_sku_code: 'ml86', start_cut_off: '23:45', end_cut_off: '0:15' });

    expect(await transact()).toMatchObject({ rc: '03' });
  });

  it('sells a product with multi false once per target and day', async () => {
    const pass = { buyer_sku_code: 'mlwdp' };
    expect(await transact(pass)).toMatchObject({ rc: '03' });
    await digiflazz.advance(60);

    expect(await transact({ ...pass, ref_id: 'INV-2-1' })).toMatchObject({ rc: '63' });
    expect(await transact({ ...pass, ref_id: 'INV-2-1', customer_no: '999' })).toMatchObject({ rc: '03' });
    await digiflazz.advance(12 * 3600);
    expect(await transact({ ...pass, ref_id: 'INV-3-1' })).toMatchObject({ rc: '03' });
  });

  it('reduces a limited stock', async () => {
    await digiflazz.act('product', { buyer_sku_code: 'gi60', stock: 1 });
    await transact({ buyer_sku_code: 'gi60' });

    expect(await transact({ buyer_sku_code: 'gi60', ref_id: 'INV-2-1' })).toMatchObject({ rc: '68' });
  });

  it('pays a failed transaction back, and repeats its failure', async () => {
    await digiflazz.act('plan', { outcome: 'pending-failed' });
    await transact();
    expect(await balance()).toBe(10_000_000 - 19_500);
    await digiflazz.advance(60);

    expect(await transact()).toMatchObject({ status: 'Gagal', rc: '02' });
    expect(await balance()).toBe(10_000_000);
    expect((await digiflazz.books()).purchases).toHaveLength(1);
  });

  it.each([
    ['03', 'Pending', 1],
    ['99', 'Pending', 1],
    ['02', 'Gagal', 1],
    ['55', 'Gagal', 1],
    ['74', 'Gagal', 1],
    ['45', 'Gagal', 0],
    ['66', 'Gagal', 0],
  ])('plans rc %s as %s', async (rc, status, transactions) => {
    await digiflazz.act('plan', { rc });

    expect(await transact()).toMatchObject({ status, rc });
    expect((await digiflazz.books()).purchases).toHaveLength(transactions);
  });
});

describe('a ref_id that is sent again', () => {
  it('returns the status when a request is repeated after a minute, and buys nothing', async () => {
    await digiflazz.act('plan', { outcome: 'pending' });
    await transact();
    await digiflazz.advance(60);

    expect(await transact()).toMatchObject({ status: 'Pending' });
    expect((await digiflazz.books()).purchases).toHaveLength(1);
  });

  it('buys again when a pending request is repeated within a minute, as the documentation warns', async () => {
    await digiflazz.act('plan', { outcome: 'pending' });
    await transact();
    await digiflazz.advance(59);
    await transact();

    expect(await digiflazz.books()).toMatchObject({
      ...{ purchases: [{ repeated: false }, { repeated: true }], spent: 39_000 },
    });
  });

  it('counts the minute from the last look-up as well', async () => {
    await digiflazz.act('plan', { outcome: 'pending' });
    await transact();
    for (const [seconds, purchases] of [
      [60, 1],
      [60, 1],
      [59, 2],
    ] as const) {
      await digiflazz.advance(seconds);
      await transact();
      expect((await digiflazz.books()).purchases).toHaveLength(purchases);
    }
  });

  it('buys again after 90 days', async () => {
    await transact();
    await digiflazz.advance(90 * 86_400 - 1);
    await transact();
    expect((await digiflazz.books()).purchases).toHaveLength(1);
    await digiflazz.advance(60);
    await transact();

    expect((await digiflazz.books()).purchases).toHaveLength(2);
  });

  it('rejects a repetition with another target', async () => {
    await transact();

    expect(await transact({ customer_no: '999' })).toMatchObject({ rc: '49' });
  });
});

describe('the test numbers', () => {
  const test = (customer_no: string) => transact({ buyer_sku_code: 'xld10', testing: true, customer_no });

  it.each([
    ['087800001230', ['Sukses', 'Sukses']],
    ['087800001232', ['Gagal', 'Gagal']],
    ['087800001233', ['Pending', 'Sukses']],
    ['087800001234', ['Pending', 'Gagal']],
  ])('completes %s as %j, at no charge', async (customerNo, statuses) => {
    const first = await test(customerNo);
    await digiflazz.advance(60);

    expect([first.status, (await test(customerNo)).status]).toEqual(statuses);
    expect(await balance()).toBe(10_000_000);
  });
});

describe('the price list', () => {
  it('returns the price list with the documented fields', async () => {
    const [product] = await listPrices();

    expect(Object.keys(product).toSorted()).toEqual(
      [
        ...['product_name', 'category', 'brand', 'type', 'seller_name', 'price', 'buyer_sku_code'],
        ...['buyer_product_status', 'seller_product_status', 'unlimited_stock', 'stock', 'multi'],
        ...['start_cut_off', 'end_cut_off', 'desc'],
      ].toSorted(),
    );
  });

  it('returns the whole list every 5 minutes, and parts at any time', async () => {
    await listPrices();
    expect(await listPrices()).toMatchObject({ rc: '83' });
    expect(await listPrices({ code: 'ml86' })).toMatchObject([{ buyer_sku_code: 'ml86' }]);
    await digiflazz.advance(299);
    expect(await listPrices()).toMatchObject({ rc: '83' });
    await digiflazz.advance(1);

    expect(await listPrices()).toEqual(expect.any(Array));
  });

  it('requires a signature for the price list', async () => {
    expect(await listPrices({ sign: md5('usernameapikeydepo') })).toMatchObject({ rc: '41' });
  });
});

describe('a webhook of the Digiflazz simulator', () => {
  it('sends a new transaction and its outcome, signed over the raw body', async () => {
    await transact();
    await digiflazz.advance(60);

    expect(webhooks()).toMatchObject([
      { event: 'create', ref_id: 'INV-1-1', status: 'Pending', rc: '03' },
      { event: 'update', ref_id: 'INV-1-1', status: 'Sukses', rc: '00' },
    ]);
    const [first] = digiflazz.shop.received;
    const hmac = createHmac('sha1', 'somesecretvalue').update(first?.body ?? '');
    expect(first?.headers).toMatchObject({
      'user-agent': 'Digiflazz-Hookshot',
      'x-hub-signature': `sha1=${hmac.digest('hex')}`,
    });
  });

  it('sends a webhook to the cb_url of its transaction', async () => {
    await transact({ cb_url: `${digiflazz.shop.url}/own` });
    await digiflazz.advance(0);

    expect(digiflazz.shop.received.map(({ path }) => path)).toEqual(['/own']);
  });

  it('sends a webhook once, whatever the response, because the documentation mentions no repetitions', async () => {
    digiflazz.shop.answer.status = 500;
    await transact();
    await digiflazz.advance(86_400);

    expect(webhooks().map(({ event }) => event)).toEqual(['create', 'update']);
  });

  it('can send a webhook that contradicts an earlier webhook', async () => {
    await digiflazz.act('plan', { outcome: 'done' });
    await transact();
    await digiflazz.act('resolve', { ref_id: 'INV-1-1', rc: '74' });
    await digiflazz.advance(0);

    expect(webhooks().map(({ status }) => status)).toEqual(['Sukses', 'Gagal']);
    expect(await balance()).toBe(10_000_000);
  });

  it('sends a ping when the webhook is set up', async () => {
    await digiflazz.act('ping');
    await digiflazz.advance(0);

    expect(Object.keys(JSON.parse(digiflazz.shop.received[0]?.body ?? ''))).toEqual([
      'sed',
      'hook_id',
      'hook',
    ]);
  });
});

it('charges 1 rupiah more than listed with the fault wrong-amount', async () => {
  await digiflazz.fault('wrong-amount');

  expect(await transact()).toMatchObject({ price: 19_501 });
});

it('changes the length of the whole price list, and its prices by a percentage', async () => {
  const read = async () => {
    await digiflazz.control('advance', { seconds: 301 });
    const data = await listPrices();
    return data.map((one: { buyer_sku_code: string; price: number }) => [one.buyer_sku_code, one.price]);
  };
  await digiflazz.control('digiflazz/list', { products: 2, percent: 10 });
  expect(await read()).toEqual([
    ['ml86', 21_450],
    ['ml172', 42_790],
  ]);
  await digiflazz.control('digiflazz/list', { products: 500, percent: -50 });
  const list = await read();
  expect([list.length, list[0], new Set(list.map(([code]: [string]) => code)).size]).toEqual([
    500,
    ['ml86', 10_725],
    500,
  ]);
});
