import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startSimulated } from '../../simulators/test/helpers/simulators.ts';
import { createTokovoucherSupplier } from '../src/tokovoucher/adapter.ts';
import { referenceSignature } from '../src/tokovoucher/signature.ts';
import { callbackOf, errorOf, purchase, question, signal, startFake, textOf } from './helpers/suppliers.ts';

const account = { memberCode: 'MEM1', secret: 'secret' };
const settings = { ...account, signature: 'simulated-default-signature' };
const order = purchase({ productCode: 'ML86', reference: 'ref1' });
const asked = question({ productCode: 'ML86', reference: 'ref1' });
const checkedSignature = '2d9fb8cb24f0caeb457a96ce9bd9a799';

let tokovoucher: Awaited<ReturnType<typeof startSimulated>>;
let supplier: ReturnType<typeof createTokovoucherSupplier>;
beforeEach(async () => {
  tokovoucher = await startSimulated('tokovoucher');
  supplier = createTokovoucherSupplier({ ...settings, baseUrl: tokovoucher.baseUrl });
});
afterEach(() => tokovoucher[Symbol.asyncDispose]());

const purchases = async () => (await tokovoucher.books()).purchases;
const requests = async (operation: string) =>
  (await tokovoucher.calls()).filter((call: { operation: string }) => call.operation === operation);

const available = {
  ...{ kode_produk: 'ML86', nama: '86 Diamonds', status: 1, jenis_id: 1 },
  ...{ price: 19_900, price_gold: 19_800, price_vip: 19_700, price_vvip: 19_600 },
};
/** A server that lists a product, and responds so to everything else. */
const fake = async (body: unknown, { status = 200, product = available as unknown } = {}) => {
  const { baseUrl, requests: received } = await startFake((request) =>
    request === '' ? { body: { status: 1, data: { produk: [product] } } } : { status, body },
  );
  return { supplier: createTokovoucherSupplier({ ...settings, baseUrl }), received };
};

it("signs Tokovoucher's member, secret and reference", () => {
  expect(referenceSignature(account, 'ref1')).toBe(checkedSignature);
});

describe('a purchase through Tokovoucher', () => {
  it('reports a purchase as pending, and later as delivered with its serial number, and buys it once', async () => {
    const pending = await supplier.submit(order, signal);
    const [{ trx_id }] = await purchases();
    expect(pending).toEqual({ state: 'pending', supplierId: trx_id, cost: 19_900 });
    await tokovoucher.advance(5);

    const [{ sn }, ...others] = await purchases();
    expect(await supplier.find(asked, signal)).toEqual({
      ...{ state: 'delivered', serialNumber: sn, supplierId: trx_id, cost: 19_900 },
    });
    expect([sn, others]).toEqual([expect.stringMatching(/^SN/), []]);
  });

  it('sends the documented fields', async () => {
    await supplier.submit(order, signal);
    const target = { id: '1&2', server: null, text: '1&2' };
    await supplier.submit({ ...order, reference: 'ref2', target }, signal);

    const sent = (await requests('transaction')).map(({ body }: { body: string }) => JSON.parse(body));
    expect(sent).toEqual([
      {
        ...{ ref_id: 'ref1', produk: 'ML86', tujuan: '12345678', server_id: '2012' },
        ...{ member_code: 'MEM1', signature: checkedSignature },
      },
      expect.objectContaining({ ref_id: 'ref2', tujuan: '1&2', server_id: '' }),
    ]);
  });

  it.each([
    ['done', { state: 'delivered', serialNumber: expect.stringMatching(/^SN/), cost: 19_900 }],
    ['failed', { state: 'failed', reason: 'Tokovoucher: Transaksi gagal' }],
  ])('reports a purchase that is immediately %s', async (outcome, result) => {
    await tokovoucher.act('plan', { outcome });
    expect(await supplier.submit(order, signal)).toEqual({
      ...{ ...result, supplierId: expect.stringMatching(/^TV/) },
    });
  });

  it.each([
    [
      { message: 'TRXID:T1. GAGAL, Nomor Tujuan Salah. SALDO:1', sn: 'Nomor Tujuan Salah' },
      'account_not_found',
    ],
    [{ message: 'Nomor tujuan tidak valid', sn: '' }, 'account_not_found'],
    [{ message: null, sn: 'Nomor Tujuan Salah' }, 'account_not_found'],
    [{ message: 'Produk sedang gangguan', sn: '' }, 'product_unavailable'],
    [{ message: 'Transaksi gagal', sn: '' }, undefined],
  ])('gives the customer a reason for the failure: %j', async (said, kind) => {
    const { supplier: failing } = await fake({ ref_id: 'ref1', status: 'Gagal', ...said });
    expect(await failing.submit(order, signal)).toMatchObject({
      ...{ state: 'failed', kind },
      reason: expect.stringContaining(said.message ?? said.sn),
    });
  });

  it.each([
    ['Produk sedang gangguan', true],
    ['Stok kosong', true],
    ['Server maintenance', true],
    ['Nomor Tujuan Salah', false],
    ['Transaksi gagal', false],
    ['Transaksi gagal. SALDO:1. Jumlah digit kurang', false],
    ['Transaksi berhasil dibatalkan, produk gangguan', true],
  ])('repeats a purchase that failed with "%s": %j', async (message, isTemporary) => {
    const { supplier: failing } = await fake({ ref_id: 'ref1', status: 'Gagal', message, sn: '' });
    const result = await failing.submit(order, signal);
    expect('isTemporary' in result && result.isTemporary === true).toBe(isTemporary);
  });

  it("tells an operator what to do about a purchase that Tokovoucher doesn't know", async () => {
    const { supplier: asked } = await fake({ status: 0, error_msg: 'Transaksi Not Found' });
    const error = await errorOf(asked.find({ ...order, supplierId: null }, signal));
    expect(error.message).toContain('mark the item as failed and retry it');
    expect(error.message).not.toContain('member code');
  });

  it('reports a failure that a later look-up finds', async () => {
    await tokovoucher.act('plan', { outcome: 'pending-failed' });
    await supplier.submit(order, signal);
    await tokovoucher.advance(5);
    expect(await supplier.find(asked, signal)).toMatchObject({ state: 'failed' });
  });

  it('waits for the balance after a rejection', async () => {
    await tokovoucher.act('balance', { balance: 1 });
    expect(await supplier.submit(order, signal)).toEqual({
      ...{ state: 'pending', waitsFor: 'balance' },
      reason:
        'Tokovoucher: the purchase was rejected: Saldo Tidak Cukup. Top up the balance in its dashboard.',
    });
    expect(await purchases()).toEqual([]);
  });

  it.each(['lost-response', 'error-500'])(
    'leaves the outcome of a purchase without a response unknown, and only looks it up: %s',
    async (fault) => {
      await tokovoucher.fault(fault, { on: 'transaction' });
      await expect(supplier.submit(order, signal)).rejects.toThrow('Tokovoucher: POST /v1/transaksi ');
      await tokovoucher.advance(5);

      const found = await supplier.find(asked, signal).catch((error: unknown) => String(error));
      if (fault === 'lost-response') expect(found).toMatchObject({ state: 'delivered' });
      // It may still be on its way: it is never said to be absent, which would buy it again.
      else expect(found).toContain('was rejected: Transaksi Not Found');
      expect(await requests('transaction')).toHaveLength(1);
    },
  );

  it('looks up a purchase at most every ten minutes, however long it takes', () => {
    expect(supplier.abilities).toEqual({
      ...{ findBy: 'reference', findOnlyReads: true, findIntervalMs: 600_000, referenceLifetimeMs: null },
      callbackFindIntervalMs: 10_000,
    });
  });
});

describe('the price before a purchase', () => {
  it.each([
    ['too high', { maxPrice: 19_899 }, 'costs up to 19900, which is more than 19899', undefined],
    ['missing', { productCode: 'none' }, 'no product none', 'product_unavailable'],
  ])('buys nothing if the price is %s', async (_what, changes, reason, kind) => {
    expect(await supplier.submit({ ...order, ...changes }, signal)).toEqual({
      ...{ state: 'failed', kind },
      reason: expect.stringContaining(reason),
    });
    expect(await purchases()).toEqual([]);
  });

  it('buys nothing if the product is closed', async () => {
    await tokovoucher.act('product', { code: 'ML86', open: false });
    expect(await supplier.submit(order, signal)).toMatchObject({ state: 'pending', waitsFor: 'product' });
    expect(await purchases()).toEqual([]);
  });

  it.each(['price', 'price_gold', 'price_vip', 'price_vvip'])(
    'assumes the highest of four prices, even if the highest is %s',
    async (name) => {
      const low = { ...available, price: 1, price_gold: 1, price_vip: 1, price_vvip: 1 };
      const { supplier: dear, received } = await fake({}, { product: { ...low, [name]: 22_001 } });
      expect(await dear.submit(order, signal)).toMatchObject({ state: 'failed' });
      expect(received).toHaveLength(1);
    },
  );

  it.each([
    ['member', 19_899, 'failed'],
    ['member', 19_900, 'pending'],
    ['gold', 19_800, 'pending'],
    ['vip', 19_700, 'pending'],
    ['vvip', 19_599, 'failed'],
    ['vvip', 19_600, 'pending'],
  ] as const)('uses the price of the level %s: at most %i', async (level, maxPrice, state) => {
    await tokovoucher.act('level', { level });
    const { baseUrl } = tokovoucher;
    const levelled = createTokovoucherSupplier({ ...settings, level, baseUrl });
    expect(await levelled.submit({ ...order, maxPrice }, signal)).toMatchObject({ state });
  });

  it.each(['lost-response', 'error-500', 'slow'])(
    "buys nothing if the price can't be read: %s",
    async (fault) => {
      await tokovoucher.fault(fault, { on: 'products' });
      const timeout = AbortSignal.timeout.bind(AbortSignal);
      // The five seconds in which a price has to be read, fifty times as fast.
      using limits = vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => timeout(ms / 50));
      expect(await supplier.submit(order, signal)).toMatchObject({
        ...{ state: 'pending', waitsFor: 'supplier' },
        reason: expect.stringContaining('the price could not be read'),
      });
      expect(limits).toHaveBeenCalledWith(5_000);
      expect(await purchases()).toEqual([]);
    },
  );
});

describe('a response of Tokovoucher that makes no sense has no outcome', () => {
  const known = { ref_id: 'ref1', status: 'sukses', sn: 'SN' };

  it.each<[string, unknown]>([
    ['is HTML', '<html>'],
    ['is empty', {}],
    ['is of another purchase', { ...known, ref_id: 'ref2' }],
    ['names no purchase', { ...known, ref_id: undefined }],
    ['has an unknown status', { ...known, status: 'refund' }],
  ])('reports no outcome when the response %s', async (_what, body) => {
    const { supplier: confused } = await fake(body);
    expect((await errorOf(confused.submit(order, signal))).name).toBe('ProviderError');
    expect((await errorOf(confused.find(asked, signal))).name).toBe('ProviderError');
  });

  it.each([400, 401, 403, 404, 500, 503])(
    'reports no outcome for the HTTP status %i, whatever the body',
    async (status) => {
      const bodies = [known, { status: 0, error_msg: 'Signature Invalid' }, { ...known, status: 'gagal' }];
      for (const body of bodies) {
        const { supplier: failing } = await fake(body, { status });
        await expect(failing.submit(order, signal)).rejects.toThrow(`status ${status}`);
        await expect(failing.find(asked, signal)).rejects.toThrow(`status ${status}`);
      }
    },
  );
});

it('shows no secret in errors and reasons, whatever Tokovoucher repeats', async () => {
  const echo = { status: 0, error_msg: 'canary-secret canary-signature' };
  const { baseUrl } = await startFake(() => ({ body: echo }));
  const secrets = { secret: 'canary-secret', signature: 'canary-signature' };
  const secretive = createTokovoucherSupplier({ ...settings, ...secrets, baseUrl });
  const texts = await Promise.all([
    textOf(secretive.submit(order, signal)),
    textOf(secretive.find(asked, signal)),
    textOf(Promise.resolve(secretive.readBalance?.(signal))),
    textOf(Promise.resolve(secretive.readProducts?.(signal))),
  ]);
  for (const text of texts) {
    expect(text).toContain('rejected');
    expect(text).not.toContain('canary');
  }
});

describe('look-ups at Tokovoucher', () => {
  it("reads available products with their games, at the level's price", async () => {
    await tokovoucher.act('product', { code: 'FF70', open: false, gold: 9_050 });
    const { baseUrl } = tokovoucher;
    const levelled = createTokovoucherSupplier({ ...settings, level: 'gold', baseUrl });
    const products = await levelled.readProducts?.(signal);
    expect(products?.map(({ code, price, isAvailable }) => [code, price, isAvailable])).toEqual([
      ...[
        ['ML86', 19_800, true],
        ['ML172', 39_400, true],
      ],
      ...[
        ['FF70', 9_050, false],
        ['PUBGM60', 14_400, true],
      ],
    ]);
    expect(products?.[0]).toEqual({
      ...{ code: 'ML86', price: 19_800, name: '86 Diamonds', brand: 'Mobile Legends', category: 'Game' },
      ...{ isAvailable: true, stock: null, isOncePerDay: false, pause: null },
    });
  });

  it('skips unreadable rows, and fails if there are no other rows', async () => {
    const odd = { ...available, status: '1', price: '19900.10', jenis_id: undefined };
    expect(await (await fake({}, { product: odd })).supplier.readProducts?.(signal)).toEqual([
      expect.objectContaining({ code: 'ML86', price: 19_901, isAvailable: true }),
    ]);
    const unreadable = (await fake({}, { product: { kode_produk: 'ML86' } })).supplier;
    await expect(unreadable.readProducts?.(signal)).rejects.toThrow('got no readable rows');
  });

  it('reads the balance, and explains what to check after a rejection', async () => {
    await tokovoucher.act('balance', { balance: 123_456 });
    expect(await supplier.readBalance?.(signal)).toBe(123_456);
    const wrong = createTokovoucherSupplier({ ...settings, signature: 'x', baseUrl: tokovoucher.baseUrl });
    await expect(wrong.readBalance?.(signal)).rejects.toThrow(
      'Tokovoucher: GET /member was rejected: Signature Invalid. Check the member code',
    );
  });
});

describe('a webhook of Tokovoucher', () => {
  const read = (body: string, signature?: string) =>
    supplier.callbacks?.read({
      headers: signature === undefined ? {} : { 'x-tokovoucher-authorization': signature },
      body: new TextEncoder().encode(body),
    });

  it('reads only the purchase from a webhook, so that the server must look it up', async () => {
    await supplier.submit(order, signal);
    await tokovoucher.advance(5);
    const [received] = tokovoucher.shop.received;
    expect(JSON.parse(received?.body ?? '')).toMatchObject({ ref_id: 'ref1', status: 'sukses' });
    const event = { reference: 'ref1', supplierId: null, result: null };
    expect(received && supplier.callbacks?.read(callbackOf(received))).toEqual({ state: 'event', event });
    expect(read('{"ref_id":"ref1","status":"gagal"}', checkedSignature)).toEqual({ state: 'event', event });
  });

  it.each([
    ['no signature', '{"ref_id":"ref1"}', undefined, 401],
    ['an empty signature', '{"ref_id":"ref1"}', '', 401],
    ['the signature of another purchase', '{"ref_id":"ref2"}', checkedSignature, 401],
    ['no reference', '{"status":"sukses"}', checkedSignature, 400],
    ['no JSON', 'ref_id=ref1', checkedSignature, 400],
  ])('rejects a webhook with %s', (_what, body, signature, status) => {
    expect(read(body, signature)).toMatchObject({ state: 'rejected', status });
  });

  it('asks for repetition only if a webhook could not be handled', () => {
    const respond = supplier.callbacks?.respond;
    for (const outcome of ['applied', 'unchanged', 'unmatched', 'ignored'] as const)
      expect(respond?.(outcome)).toEqual({ status: 200, body: { status: true } });
    expect(respond?.('rejected', 401)).toMatchObject({ status: 401 });
    expect(respond?.('failed')).toMatchObject({ status: 503 });
  });
});

it("simulates a second purchase for a repeated request, which is undocumented, and records it in the simulator's books", async () => {
  await supplier.submit(order, signal);
  await supplier.submit(order, signal);
  expect(await purchases()).toMatchObject([{ repeated: false }, { repeated: true }]);
  expect(await tokovoucher.books()).toMatchObject({ spent: 2 * 19_900, balance: 10_000_000 - 2 * 19_900 });
});
