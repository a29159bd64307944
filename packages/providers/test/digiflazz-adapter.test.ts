import type { SupplierProduct } from '@topup-kit/core/supplier';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startSimulated, start as startTime } from '../../simulators/test/helpers/simulators.ts';
import { createDigiflazzSupplier } from '../src/digiflazz/adapter.ts';
import { webhookSignature } from '../src/digiflazz/signature.ts';
import { callbackOf, errorOf, purchase, question, signal, startFake, textOf } from './helpers/suppliers.ts';

const settings = { username: 'username', apiKey: 'apikey', webhookSecret: 'somesecretvalue' };
const clock = () => startTime;

let digiflazz: Awaited<ReturnType<typeof startSimulated>>;
let supplier: ReturnType<typeof createDigiflazzSupplier>;
beforeEach(async () => {
  digiflazz = await startSimulated('digiflazz');
  supplier = createDigiflazzSupplier({ ...settings, baseUrl: digiflazz.baseUrl }, { clock });
});
afterEach(() => digiflazz[Symbol.asyncDispose]());

const { findIntervalMs, referenceLifetimeMs } = createDigiflazzSupplier(
  { ...settings, baseUrl: 'http://127.0.0.1' },
  { clock },
).abilities;
/** Moves the time to where a purchase may be asked for again. */
const waitToFind = () => digiflazz.advance(findIntervalMs / 1000);
const purchases = async () => (await digiflazz.books()).purchases;

const fake = async (body: unknown, status = 200) => {
  const { baseUrl } = await startFake(() => ({ status, body }));
  return createDigiflazzSupplier({ ...settings, baseUrl }, { clock });
};
/** A response about the purchase of these tests. */
const about = (more: object) => ({
  data: { ref_id: 'INV-1-1-1', customer_no: '123456782012', buyer_sku_code: 'ml86', ...more },
});

it('looks up a purchase after more than a minute, and only while Digiflazz certainly knows its ref_id', () => {
  expect(findIntervalMs).toBeGreaterThan(60_000 + 30_000);
  expect(referenceLifetimeMs).toBeLessThan(90 * 86_400_000 - findIntervalMs);
});

describe('a purchase through Digiflazz', () => {
  it('reports a purchase as pending, then delivered with the serial number, and buys it once', async () => {
    expect(await supplier.submit(purchase(), signal)).toEqual({ state: 'pending', cost: 19_500 });
    await waitToFind();

    const found = await supplier.find(question(), signal);
    const [bought, ...others] = await purchases();
    expect(others).toEqual([]);
    expect(bought).toMatchObject({ ref_id: 'INV-1-1-1', customer_no: '123456782012', price: 19_500 });
    expect(found).toEqual({ state: 'delivered', serialNumber: bought.sn, cost: 19_500 });
  });

  it('sends the documented fields, always with max_price', async () => {
    await supplier.submit(purchase({ reference: 'test1' }), signal);

    const [{ body }] = await digiflazz.calls();
    expect(JSON.parse(body)).toEqual({
      username: 'username',
      buyer_sku_code: 'ml86',
      customer_no: '123456782012',
      ref_id: 'test1',
      sign: 'e54414720db8e70813b0ad379c9d1d7f',
      max_price: 22_000,
    });
  });

  it("reports a failure with Digiflazz's reason", async () => {
    await digiflazz.act('plan', { outcome: 'pending-failed' });
    await supplier.submit(purchase(), signal);
    await waitToFind();

    expect(await supplier.find(question(), signal)).toEqual({
      state: 'failed',
      reason: 'Digiflazz: rc 02, Transaksi Gagal',
    });
  });

  it.each([
    ['delivered', ['00']],
    ['pending', ['03', '99']],
    // Failed with a transaction.
    ['failed', ['01', '02', '50', '51', '52', '53', '54', '55', '57', '58', '59', '60']],
    ['failed', ['70', '71', '72', '73', '74', '84', '85', '86']],
    // Failed without one, and for good.
    ['failed', ['40', '43', '47', '63', '64', '65', '67', '69', '80', '81', '87']],
  ])('reports the code of a %s purchase immediately: %j', async (state, codes) => {
    for (const [index, rc] of codes.entries()) {
      await digiflazz.act('plan', { rc });
      const result = await supplier.submit(purchase({ reference: `INV-1-${index}-1` }), signal);

      expect({ rc, result }).toMatchObject({ rc, result: { state } });
      if (result.state === 'failed') expect(result.reason).toContain(`rc ${rc}, `);
    }
  });

  it.each([
    ['account_not_found', ['52', '54', '57']],
    ['region_mismatch', ['59']],
    ['product_unavailable', ['43', '53', '55', '58', '71']],
    [undefined, ['01', '02', '51', '69', '80']],
  ])('gives the customer a reason for the code: %s', async (kind, codes) => {
    for (const rc of codes) {
      const failing = await fake(about({ rc, status: 'Gagal', message: 'x' }));
      const result = await failing.submit(purchase(), signal);

      expect({ rc, kind: result.state === 'failed' && result.kind }).toEqual({ rc, kind });
    }
  });

  it.each(['53', '55', '58', '71', '85'])(
    'repeats a purchase that failed with rc %s, as Digiflazz asks',
    async (rc) => {
      const failing = await fake(about({ rc, status: 'Gagal', message: 'x' }));

      expect(await failing.submit(purchase(), signal)).toMatchObject({ state: 'failed', isTemporary: true });
    },
  );

  it.each(['01', '02', '51', '52', '54', '57', '59', '60', '70', '72', '73', '74', '84', '86', '43', '80'])(
    "doesn't repeat a purchase that failed with rc %s",
    async (rc) => {
      const failing = await fake(about({ rc, status: 'Gagal', message: 'x' }));

      expect(await failing.submit(purchase(), signal)).not.toHaveProperty('isTemporary');
    },
  );

  it.each([
    ['41', 'supplier', 'API key'],
    ['42', 'supplier', 'user name'],
    ['45', 'supplier', "Allow this server's address"],
    ['82', 'supplier', 'verified'],
    ['88', 'supplier', 'account'],
    ['83', 'supplier', 'pricelist'],
    ['56', 'product', 'seller'],
    ['62', 'product', 'gangguan'],
    ['66', 'product', 'Cut Off'],
    ['68', 'product', 'Stok habis'],
  ])(
    'waits after rc %s until the problem is over, gives the reason, and then buys',
    async (rc, waitsFor, why) => {
      await digiflazz.act('plan', { rc });
      const held = await supplier.submit(purchase(), signal);
      expect(held).toEqual({ state: 'pending', waitsFor, reason: expect.stringContaining(why) });
      expect(JSON.stringify(held)).toContain(`rc ${rc}, `);
      expect(await purchases()).toEqual([]);
      // A question may be rejected although the purchase exists.
      await waitToFind();
      await digiflazz.act('plan', { rc });
      await expect(supplier.find(question(), signal)).rejects.toThrow(`rc ${rc}, `);
      await waitToFind();

      expect(await supplier.find(question(), signal)).toEqual({ state: 'pending', cost: 19_500 });
      expect(await purchases()).toHaveLength(1);
    },
  );

  it.each(['44', '61'])('waits for the balance after rc %s, reports that, and then buys', async (rc) => {
    const unfunded = {
      state: 'pending',
      waitsFor: 'balance',
      reason: expect.stringMatching(
        new RegExp(`^Digiflazz: rc ${rc}, .*\\. Top up the balance at Digiflazz\\.$`),
      ),
    };
    await digiflazz.act('plan', { rc });
    expect(await supplier.submit(purchase(), signal)).toEqual(unfunded);
    await waitToFind();
    await digiflazz.act('plan', { rc });
    expect(await supplier.find(question(), signal)).toEqual(unfunded);
    expect(await purchases()).toEqual([]);
    await waitToFind();

    expect(await supplier.find(question(), signal)).toEqual({ state: 'pending', cost: 19_500 });
    expect(await purchases()).toHaveLength(1);
  });

  it('reports no outcome for the reference of another purchase', async () => {
    await supplier.submit(purchase({ productCode: 'ff70' }), signal);

    expect((await errorOf(supplier.submit(purchase(), signal))).message).toContain('rc 49');
  });

  it.each(['40', '43', '47', '50', '56', '63', '64', '65', '67', '69', '80', '81', '85', '86', '87'])(
    'reports no outcome if only the look-up is rejected, with rc %s',
    async (rc) => {
      const asked = await fake(about({ rc, status: 'Gagal', message: 'x' }));

      expect((await errorOf(asked.find(question(), signal))).message).toContain(`rc ${rc}, `);
    },
  );

  it.each([
    '01',
    '02',
    '51',
    '52',
    '53',
    '54',
    '55',
    '57',
    '58',
    '59',
    '60',
    '70',
    '71',
    '72',
    '73',
    '74',
    '84',
  ])('reports a failure if the transaction has failed, with rc %s', async (rc) => {
    const asked = await fake(about({ rc, status: 'Gagal', message: 'x' }));

    expect(await asked.find(question(), signal)).toMatchObject({
      ...{ state: 'failed', reason: `Digiflazz: rc ${rc}, x` },
    });
  });

  it('reports a rejection that happened before the reference was read', async () => {
    const said = (rc: string) => fake({ data: { rc, status: 'Gagal', message: 'x' } });

    expect(await (await said('40')).submit(purchase(), signal)).toMatchObject({ state: 'failed' });
    expect(await (await said('45')).submit(purchase(), signal)).toMatchObject({ waitsFor: 'supplier' });
  });

  it("doesn't buy above the limit when the price is 1 rupiah higher than listed", async () => {
    await digiflazz.fault('wrong-amount');

    expect(await supplier.submit(purchase({ maxPrice: 19_500 }), signal)).toMatchObject({
      state: 'failed',
      reason: expect.stringContaining('rc 69, '),
    });
    expect(await purchases()).toEqual([]);
  });

  it.each([
    [19_500, 19_500],
    [19_500.4, 19_501],
    ['19500', 19_500],
    [0, 0],
    [-1, undefined],
    ['free', undefined],
    [null, undefined],
    [undefined, undefined],
  ])('reads the cost from the response if possible: %j', async (price, cost) => {
    const said = about({ rc: '00', status: 'Sukses', message: 'x', sn: 'S', price });
    const result = await (await fake(said)).submit(purchase(), signal);

    expect(result).toMatchObject({ state: 'delivered', serialNumber: 'S' });
    expect(result.cost).toBe(cost);
  });

  it('reports a delivery without a serial number', async () => {
    for (const sn of ['', ' ', null, undefined])
      expect(
        await (await fake(about({ rc: '00', status: 'Sukses', message: 'x', sn }))).submit(
          purchase(),
          signal,
        ),
      ).toEqual({ state: 'delivered', serialNumber: '' });
  });
});

describe('a purchase through Digiflazz whose response does not come', () => {
  it('finds a purchase that was made although no response arrived', async () => {
    await digiflazz.fault('lost-response');
    await expect(supplier.submit(purchase(), signal)).rejects.toThrow('may have been carried out');
    await waitToFind();

    expect(await supplier.find(question(), signal)).toMatchObject({ state: 'delivered' });
    expect(await purchases()).toHaveLength(1);
  });

  it('finds a purchase after several failed look-ups, and buys it once', async () => {
    await digiflazz.act('plan', { outcome: 'pending' });
    await digiflazz.fault('lost-response', { times: 3 });
    await expect(supplier.submit(purchase(), signal)).rejects.toThrow();
    for (const _question of [1, 2]) {
      await waitToFind();
      await expect(supplier.find(question(), signal)).rejects.toThrow();
    }
    await waitToFind();

    expect(await supplier.find(question(), signal)).toEqual({ state: 'pending', cost: 19_500 });
    expect(await purchases()).toHaveLength(1);
  });

  it('buys during the look-up a unit that was not bought before', async () => {
    await digiflazz.fault('error-500');
    await expect(supplier.submit(purchase(), signal)).rejects.toThrow('status 500');
    expect(await purchases()).toEqual([]);
    await waitToFind();

    expect(await supplier.find(question(), signal)).toEqual({ state: 'pending', cost: 19_500 });
    expect(await purchases()).toHaveLength(1);
  });

  it('finds a purchase whose response was late', async () => {
    await digiflazz.fault('slow');
    await expect(supplier.submit(purchase(), AbortSignal.timeout(200))).rejects.toThrow(
      'Digiflazz: POST /transaction did not respond in time.',
    );
    await waitToFind();

    expect(await supplier.find(question(), signal)).toMatchObject({ state: 'delivered' });
    expect(await purchases()).toHaveLength(1);
  });
});

describe('a response of Digiflazz that makes no sense has no outcome', () => {
  it.each([
    ['is HTML', '<html>'],
    ['is empty', {}],
    ['has no data', { data: null }],
    ['has no code', about({ status: 'Gagal', message: 'x' })],
    ['has no status', about({ rc: '02', message: 'x' })],
    ['has an unknown code', about({ rc: '46', status: 'Gagal', message: 'x' })],
    ['is done and failed', about({ rc: '00', status: 'Gagal', message: 'x', sn: '1' })],
    ['is failed and done', about({ rc: '02', status: 'Sukses', message: 'x', sn: '1' })],
    ['is failed and pending', about({ rc: '02', status: 'Pending', message: 'x' })],
    ['is rejected and pending', about({ rc: '43', status: 'Pending', message: 'x' })],
    ['is of no reference', { data: { rc: '02', status: 'Gagal', message: 'x' } }],
    ['is of another reference', about({ ref_id: 'INV-2-1-1', rc: '02', status: 'Gagal', message: 'x' })],
    ['is of another target', about({ customer_no: '1', rc: '02', status: 'Gagal', message: 'x' })],
    ['is of another product', about({ buyer_sku_code: 'x', rc: '02', status: 'Gagal', message: 'x' })],
  ])('reports no outcome when the response %s', async (_what, body) => {
    const nonsense = await fake(body);

    expect(await errorOf(nonsense.submit(purchase(), signal))).toMatchObject({ name: 'ProviderError' });
    expect(await errorOf(nonsense.find(question(), signal))).toMatchObject({ name: 'ProviderError' });
  });

  it('reports no outcome for status 500, whatever the body', async () => {
    const nonsense = await fake(about({ rc: '02', status: 'Gagal', message: 'x' }), 500);

    await expect(nonsense.submit(purchase(), signal)).rejects.toThrow('status 500');
  });
});

describe('secrets', () => {
  it('shows no secret in errors and reasons, whatever Digiflazz repeats', async () => {
    const echoes = [
      (body: string) => about({ rc: '02', status: 'Gagal', message: `canary-key canary-secret ${body}` }),
      (body: string) => about({ rc: '41', status: 'Gagal', message: `canary-key canary-secret ${body}` }),
      (body: string) => `canary-key canary-secret ${body}`,
    ];
    for (const echo of echoes) {
      const { baseUrl, requests } = await startFake((body) => ({ body: echo(body) }));
      const secretive = createDigiflazzSupplier(
        { username: 'budi', apiKey: 'canary-key', webhookSecret: 'canary-secret', baseUrl },
        { clock },
      );
      const texts = [
        await textOf(secretive.submit(purchase(), signal)),
        await textOf(secretive.find(question(), signal)),
        await textOf(Promise.resolve(secretive.readProducts?.(signal))),
        await textOf(Promise.resolve(secretive.readBalance?.(signal))),
      ];
      const signs = requests.slice(2).map((body) => JSON.parse(body).sign);
      expect(signs).toHaveLength(2);
      for (const secret of ['canary-key', 'canary-secret', ...signs])
        for (const text of texts) expect(text).not.toContain(secret);
    }
  });
});

describe('the products of Digiflazz', () => {
  const read = async (): Promise<SupplierProduct[]> => (await supplier.readProducts?.(signal)) ?? [];
  const product = async (changes: object): Promise<SupplierProduct | undefined> => {
    await digiflazz.act('product', { buyer_sku_code: 'ml86', ...changes });
    return (await read()).find(({ code }) => code === 'ml86');
  };
  /** A moment of 1 May 2026 in Jakarta; the simulators stand at 12:00. */
  const at = (day: number, hours: number, minutes = 0) => Date.UTC(2026, 4, day, hours - 7, minutes);

  it('offers products in any quantity, at any time', async () => {
    expect((await read())[0]).toEqual({
      ...{ price: 19_500, name: 'MOBILELEGEND - 86 Diamond', brand: 'MOBILE LEGENDS', category: 'Games' },
      ...{ code: 'ml86', isAvailable: true, stock: null, isOncePerDay: false, pause: null },
    });
  });

  it('sells a product once a day if multi is false, and reads the limited stock', async () => {
    const products = new Map((await read()).map((one) => [one.code, one]));

    expect(products.get('mlwdp')).toMatchObject({ isOncePerDay: true });
    expect(products.get('gi60')).toMatchObject({ stock: 5 });
  });

  it("reads the account's price, which changes", async () => {
    expect(await product({ price: 21_000 })).toMatchObject({ price: 21_000 });
  });

  it.each([
    [19_500.2, 19_501],
    ['19500', 19_500],
    ['19500.50', 19_501],
    [0, 0],
  ])('never reads a price that is too low: %j is %i rupiah', async (price, cost) => {
    const one = { ...(await digiflazzProduct()), price };
    expect(await (await fake({ data: [one] })).readProducts?.(signal)).toMatchObject([{ price: cost }]);
  });

  it.each([undefined, null, -1, 'free'])(
    'skips the unreadable price %j like other unreadable rows',
    async (price) => {
      const [one, other] = [{ ...(await digiflazzProduct()), price }, await digiflazzProduct()];
      expect(await (await fake({ data: [one, other] })).readProducts?.(signal)).toHaveLength(1);
    },
  );

  it('reads products without names', async () => {
    const { product_name, brand, category, ...one } = await digiflazzProduct();
    const [read] = (await (await fake({ data: [one] })).readProducts?.(signal)) ?? [];
    expect(read).toMatchObject({ code: 'ml86', price: 19_500 });
    expect(Object.keys(read ?? {})).not.toContain('name');
  });

  it.each([{ buyer_product_status: false }, { seller_product_status: false }])(
    'reads a product as unavailable with %j',
    async (changes) => {
      expect(await product(changes)).toMatchObject({ isAvailable: false });
    },
  );

  it.each([
    ['later today', '23:30', '23:45', at(1, 23, 30), at(1, 23, 45)],
    ['now', '11:00', '12:30', at(1, 11), at(1, 12, 30)],
    ['until the current minute, which means tomorrow', '11:00', '12:00', at(2, 11), at(2, 12)],
    ['over midnight', '23:45', '0:15', at(1, 23, 45), at(2, 0, 15)],
    ['since yesterday', '13:00', '12:30', at(0, 13), at(1, 12, 30)],
  ])('reads the pause %s', async (_when, start_cut_off, end_cut_off, from, until) => {
    expect(await product({ start_cut_off, end_cut_off })).toMatchObject({ pause: { from, until } });
  });

  it.each(['0:0', '00:00', '13:00'])('reads no pause from %s to the same time', async (time) => {
    expect(await product({ start_cut_off: time, end_cut_off: time })).toMatchObject({ pause: null });
  });

  it('requests the list no more often than allowed', async () => {
    expect(supplier.productsIntervalMs).toBeGreaterThan(5 * 60_000);
    await read();

    await expect(read()).rejects.toMatchObject({
      message: expect.stringContaining('rc 83'),
      // Whoever asked last: five minutes from now on, the limit is over.
      retryAfterMs: 5 * 60_000,
    });
    await digiflazz.advance(5 * 60);
    expect(await read()).not.toEqual([]);
  });

  it('skips unreadable rows, and fails if no row can be read', async () => {
    const one = { ...(await digiflazzProduct()), multi: 'yes' };
    const other = await digiflazzProduct();
    const mixed = await fake({ data: [one, other, null] });
    expect(await mixed.readProducts?.(signal)).toHaveLength(1);

    const unreadable = await fake({ data: [one] });
    await expect(unreadable.readProducts?.(signal)).rejects.toThrow('got no readable rows');
  });

  it('reads a list of several megabytes', async () => {
    const other = await digiflazzProduct();
    const many = await fake({ data: Array.from({ length: 20_000 }, () => other) });

    expect(await many.readProducts?.(signal)).toHaveLength(20_000);
  });

  const digiflazzProduct = async () => ({
    ...{ product_name: '86 Diamond', category: 'Games', brand: 'ML', type: 'Umum', seller_name: 'x' },
    ...{ price: 19_500, buyer_sku_code: 'ml86', buyer_product_status: true, seller_product_status: true },
    ...{ unlimited_stock: true, stock: 0, multi: true, start_cut_off: '0:0', end_cut_off: '0:0' },
    desc: 'x'.repeat(100),
  });
});

describe('a purchase at Digiflazz that costs more than its limit', () => {
  it('sends the limit, buys nothing above it, and gives the operator the reason', async () => {
    await digiflazz.act('product', { buyer_sku_code: 'ml86', price: 22_001 });
    const { state, reason = '' } = { reason: '', ...(await supplier.submit(purchase(), signal)) };
    expect(state).toBe('failed');
    expect(reason).toContain('rc 69');
    expect(reason).toContain(
      'Its cost is now above its price in the order without a promo code (max_price), so nothing was bought.',
    );
    const [{ body }] = (await digiflazz.calls()).filter(
      ({ operation }: { operation: string }) => operation === 'transaction',
    );
    expect(JSON.parse(body)).toMatchObject({ max_price: 22_000 });
    expect((await digiflazz.books()).purchases).toEqual([]);
  });

  it('buys at exactly the limit', async () => {
    await digiflazz.act('product', { buyer_sku_code: 'ml86', price: 22_000 });
    expect(await supplier.submit(purchase(), signal)).toMatchObject({ state: 'pending' });
  });
});

describe('the balance at Digiflazz', () => {
  it('reads the balance', async () => {
    await digiflazz.act('balance', { balance: 123_456 });

    expect(await supplier.readBalance?.(signal)).toBe(123_456);
  });

  it('explains a rejected balance', async () => {
    const wrong = createDigiflazzSupplier(
      { ...settings, apiKey: 'another', baseUrl: digiflazz.baseUrl },
      { clock },
    );

    await expect(wrong.readBalance?.(signal)).rejects.toThrow('rc 41');
  });
});

describe('a webhook of Digiflazz', () => {
  const body = '{"data":{"ref_id":"test1","status":"Sukses"}}';
  const signed = 'sha1=3549dbabc5131992a7cf24b85f2d8a6aa805dd6f';
  const read = (text: string, headers: Record<string, string>) =>
    supplier.callbacks?.read({ headers, body: new TextEncoder().encode(text) });
  const received = () => digiflazz.shop.received.map((one) => supplier.callbacks?.read(callbackOf(one)));

  it('accepts a webhook with the published signature, and reads no outcome if it has no code', () => {
    expect(read(body, { 'x-hub-signature': signed })).toEqual({
      state: 'event',
      event: { reference: 'test1', supplierId: null, result: { state: 'pending' } },
    });
  });

  it.each([
    ['a body that was serialized again', JSON.stringify(JSON.parse(body), null, 1), signed],
    ['one more byte', `${body}\n`, signed],
    ['the signature without its prefix', body, signed.slice(5)],
    ['another signature', body, `sha1=${'0'.repeat(40)}`],
    ['no signature', body, undefined],
    ['an empty signature', body, ''],
  ])('rejects a webhook with %s', (_what, text, signature) => {
    const reading = read(text, signature === undefined ? {} : { 'x-hub-signature': signature });

    expect(reading).toEqual({ state: 'rejected', status: 401, reason: expect.any(String) });
    expect(JSON.stringify(reading)).not.toMatch(/test1|3549dbab|somesecretvalue/);
  });

  it.each(['', 'null', '[]', '{}', '{"data":{}}', '{"data":{"ref_id":""}}', '{"data":{"ref_id":1}}'])(
    'rejects even a genuine webhook with %j',
    (text) => {
      const headers = { 'x-hub-signature': webhookSignature('somesecretvalue', text) };

      expect(read(text, headers)).toMatchObject({ state: 'rejected', status: 400 });
    },
  );

  it('reads the purchase and the outcome from a webhook', async () => {
    await supplier.submit(purchase(), signal);
    await waitToFind();

    const [{ sn }] = await purchases();
    expect(received()).toEqual([
      {
        state: 'event',
        event: { reference: 'INV-1-1-1', supplierId: null, result: { state: 'pending', cost: 19_500 } },
      },
      {
        state: 'event',
        event: {
          ...{ reference: 'INV-1-1-1', supplierId: null },
          result: { state: 'delivered', serialNumber: sn, cost: 19_500 },
        },
      },
    ]);
  });

  it('reads a failure after a success', async () => {
    await digiflazz.act('plan', { outcome: 'done' });
    await supplier.submit(purchase(), signal);
    await digiflazz.act('resolve', { ref_id: 'INV-1-1-1', rc: '74' });
    await digiflazz.advance(0);

    expect(received().map((one) => one?.state === 'event' && one.event.result?.state)).toEqual([
      'delivered',
      'failed',
    ]);
  });

  it('reads a webhook each time, even if repeated or late, but never with a wrong signature', async () => {
    await digiflazz.fault('duplicate-callback', { on: 'create' });
    await digiflazz.fault('bad-signature', { on: 'update' });
    await supplier.submit(purchase(), signal);
    await waitToFind();

    expect(received().map((one) => one?.state)).toEqual(['event', 'event', 'rejected']);
  });

  it('reads every webhook that arrives out of order', async () => {
    await digiflazz.fault('out-of-order', { on: 'create' });
    await supplier.submit(purchase(), signal);
    await waitToFind();

    expect(received().map((one) => one?.state === 'event' && one.event.result?.state)).toEqual([
      'delivered',
      'pending',
    ]);
  });

  it.each(['02', '50', '74', '85'])('reads from rc %s that the transaction has failed', async (rc) => {
    await digiflazz.act('plan', { rc });
    await supplier.submit(purchase(), signal);
    await digiflazz.advance(0);

    expect(received().at(-1)).toMatchObject({ event: { result: { state: 'failed' } } });
  });

  it.each(['44', '49', '68', '69'])(
    'reads no outcome from rc %s, which says nothing about the purchase',
    async (rc) => {
      await digiflazz.act('plan', { outcome: 'done' });
      await supplier.submit(purchase(), signal);
      await digiflazz.act('resolve', { ref_id: 'INV-1-1-1', rc });
      await digiflazz.advance(0);

      expect(received().at(-1)).toMatchObject({ event: { result: { state: 'pending' } } });
    },
  );

  it('ignores a ping, signed or not', async () => {
    await digiflazz.act('ping');
    await digiflazz.advance(0);
    expect(received()).toMatchObject([{ state: 'ignored' }]);

    const unsigned = read('{"sed":"a","hook_id":"b","hook":{"secret":"c"}}', {});
    expect(unsigned).toMatchObject({ state: 'ignored' });
    expect(JSON.stringify(unsigned)).not.toContain('"c"');
  });

  it('treats the secret in a ping as a secret', async () => {
    await digiflazz.act('ping');
    await digiflazz.advance(0);
    const [ping] = digiflazz.shop.received;
    expect(JSON.parse(ping?.body ?? '').hook.secret).toBe('somesecretvalue');
    expect(supplier.callbacks?.secrets).toEqual(['somesecretvalue']);
  });

  it("doesn't mistake a webhook with data for a ping", () => {
    expect(read('{"sed":"a","hook_id":"b","hook":{},"data":{"ref_id":"test1"}}', {})).toMatchObject({
      ...{ state: 'rejected', status: 401 },
    });
  });

  it.each([
    ['applied', 200],
    ['unchanged', 200],
    ['contradiction', 200],
    ['ignored', 200],
    ['unmatched', 200],
    ['failed', 503],
  ] as const)('responds to a webhook that is %s with %i', (outcome, status) => {
    expect(supplier.callbacks?.respond(outcome).status).toBe(status);
  });

  it('responds to a rejected webhook with the reason', () => {
    expect(supplier.callbacks?.respond('rejected', 401).status).toBe(401);
    expect(supplier.callbacks?.respond('rejected', 400).status).toBe(400);
  });
});
