import { createHmac } from 'node:crypto';
import type { Supplier } from '@topup-kit/core/supplier';
import { describe, expect, it, vi } from 'vitest';
import { start } from '../../simulators/test/helpers/simulators.ts';
import { createDigiflazzSupplier } from '../src/digiflazz/adapter.ts';
import { cost, decimal, flag, twoDigits, whole } from '../src/readers.ts';
import type { SupplierName } from '../src/registry.ts';
import { createTokovoucherSupplier } from '../src/tokovoucher/adapter.ts';
import { createTripayGateway } from '../src/tripay/adapter.ts';
import { createVipResellerSupplier } from '../src/vip-reseller/adapter.ts';
import { purchase, signal, startFake } from './helpers/suppliers.ts';

describe('a number of a provider', () => {
  it.each([
    [19_500, 19_500],
    ['19500', 19_500],
    ['19500.10', 19_501],
    [19_500.1, 19_501],
    [0, 0],
    ['0', 0],
  ])('reads a price, even if it is a string: %j', (sent, price) => {
    expect(cost.safeParse(sent).data).toBe(price);
  });

  it.each(['19.500', '19,500', '1.500.000', 'Rp 19500', '19.000', 19.5, -1, '', null, '1e4', ' 1', true])(
    'rejects an ambiguous price: %j',
    (sent) => {
      expect(cost.safeParse(sent).success).toBe(false);
    },
  );

  it.each([
    [19.5, 19.5],
    ['19.50', 19.5],
    ['19.500', undefined],
    [-20, -20],
  ])('reads decimals in a balance: %j', (sent, balance) => {
    expect(decimal.safeParse(sent).data).toBe(balance);
  });

  it.each([
    ['22000', 22_000],
    ['22000.00', 22_000],
    [22_000, 22_000],
    ['22.000', undefined],
    ['22000.5', undefined],
    [22_000.5, undefined],
  ])('reads a whole amount of money: %j', (sent, amount) => {
    expect(whole.safeParse(sent).data).toBe(amount);
  });

  it.each([
    ['00', '00'],
    [0, '00'],
    ['3', '03'],
    [44, '44'],
    [100, undefined],
    ['ok', undefined],
  ])('reads a code with its leading zero: %j', (sent, code) => {
    expect(twoDigits.safeParse(sent).data).toBe(code);
  });

  it.each([
    [true, true],
    [1, true],
    ['1', true],
    ['true', true],
    [false, false],
    [0, false],
    ['0', false],
    ['false', false],
    ['yes', undefined],
    [2, undefined],
  ])('reads a certain yes or no: %j', (sent, value) => {
    expect(flag.safeParse(sent).data).toBe(value);
  });
});

const digiflazzRow = {
  ...{ buyer_sku_code: 'ml86', product_name: '86 Diamond', brand: 'MOBILE LEGENDS', category: 'Games' },
  ...{ price: 19_500, buyer_product_status: true, seller_product_status: true, unlimited_stock: false },
  ...{ stock: 100, multi: true, start_cut_off: '0:0', end_cut_off: '0:0' },
};
const vipRow = {
  ...{ code: 'ml86', game: 'Mobile Legends', name: '86 Diamonds', status: 'available' },
  price: { basic: 19_500, premium: 19_400, special: 19_300 },
};
const tokovoucherRow = {
  ...{ kode_produk: 'ml86', nama: '86 Diamonds', status: 1, jenis_id: 1, price: 19_500 },
  ...{ price_gold: 19_400, price_vip: 19_300, price_vvip: 19_200 },
};

interface Form {
  row: object;
  listOf: (rows: unknown[]) => object;
  create: (baseUrl: string, warn: (text: string) => void) => Supplier;
  /** The row with each number and flag in the form that is not documented. */
  asText: object;
  /** The row whose price can't be read, and what is said of it. */
  unreadable: object;
  why: string;
}

const forms: Record<SupplierName, Form> = {
  digiflazz: {
    row: digiflazzRow,
    listOf: (data) => ({ data }),
    create: (baseUrl, warn) =>
      createDigiflazzSupplier(
        { username: 'username', apiKey: 'canary-key', webhookSecret: 'secret', baseUrl },
        { clock: () => start, warn },
      ),
    asText: {
      ...digiflazzRow,
      ...{ price: '19500', stock: '100', unlimited_stock: '0', multi: 1, end_cut_off: '00:00:00' },
    },
    unreadable: { ...digiflazzRow, buyer_sku_code: 'bad1', price: '19.500' },
    why: 'POST /price-list: the row bad1 is left out, because price is "19.500".',
  },
  'vip-reseller': {
    row: vipRow,
    listOf: (data) => ({ result: true, data, message: 'ok' }),
    create: (baseUrl, warn) =>
      createVipResellerSupplier({ apiId: 'id1', apiKey: 'canary-key', baseUrl }, { warn }),
    asText: { ...vipRow, price: { basic: '19500', premium: '19400.00', special: null } },
    unreadable: { ...vipRow, code: 'bad1', price: { basic: '19.500' } },
    why: 'POST /game-feature services: the row bad1 is left out, because price.basic is "19.500".',
  },
  tokovoucher: {
    row: tokovoucherRow,
    listOf: (produk) => ({ status: 1, data: { produk } }),
    create: (baseUrl, warn) =>
      createTokovoucherSupplier(
        { memberCode: 'MEM1', secret: 'canary-key', signature: 'default', baseUrl },
        { warn },
      ),
    asText: { kode_produk: 'ml86', nama: '86 Diamonds', status: '1', jenis_id: '1', price: '19500' },
    unreadable: { ...tokovoucherRow, kode_produk: 'bad1', price: '19.500' },
    why: 'GET /member/produk/full: the row bad1 is left out, because price is "19.500".',
  },
};

describe.each(Object.entries(forms))('the list of %s', (_name, { create, listOf, row, ...form }) => {
  async function start(rows: unknown[]) {
    let list = rows;
    const { baseUrl } = await startFake(() => ({ body: listOf(list) }));
    const warn = vi.fn<(text: string) => void>();
    const supplier = create(baseUrl, warn);
    const read = async (others = list) => {
      list = others;
      return await supplier.readProducts?.(signal);
    };
    return { read, told: () => warn.mock.calls.map(([text]) => text) };
  }

  it('reads the same products if numbers are strings, or lower prices are missing', async () => {
    const [documented, other] = await Promise.all([start([row]), start([form.asText])]);
    const products = await other.read();
    expect(products).toMatchObject([{ code: 'ml86', price: 19_500, isAvailable: true }]);
    expect(products?.[0]?.stock).toEqual((await documented.read())?.[0]?.stock);
    expect(other.told()).toEqual([]);
  });

  it('skips an unreadable row, and warns about it once with the reason', async () => {
    const { read, told } = await start([row, form.unreadable, 7]);
    expect((await read())?.map(({ code }) => code)).toEqual(['ml86']);
    await read();
    expect(told()).toEqual([
      expect.stringContaining(form.why),
      expect.stringMatching(/the row 3 is left out, because it is 7/),
    ]);
    // What was mended and breaks again is told again.
    await read([row]);
    await read([row, form.unreadable]);
    expect(told()).toHaveLength(3);
  });

  it('warns about at most ten rows, and gives the number of other rows', async () => {
    const { read, told } = await start([row, ...Array.from({ length: 25 }, () => 'canary-key')]);
    await read();
    expect(told()).toHaveLength(11);
    expect(told().at(-1)).toContain('15 more rows');
    expect(told().join()).not.toContain('canary-key');
  });
});

describe('a transaction of Digiflazz', () => {
  it('reads numbers as code, target and serial number', async () => {
    const data = { ref_id: 'INV-1-1-1', customer_no: 123_456_782_012, buyer_sku_code: 'ml86' };
    const respond = (more: object) => () => ({ body: { data: { ...data, ...more } } });
    const submit = async (more: object) =>
      forms.digiflazz.create((await startFake(respond(more))).baseUrl, () => {}).submit(purchase(), signal);

    expect(await submit({ rc: 0, status: 'sukses', sn: 1234, message: null, price: '19500' })).toEqual({
      ...{ state: 'delivered', serialNumber: '1234', cost: 19_500 },
    });
    expect(await submit({ rc: '54', status: 'GAGAL' })).toMatchObject({ kind: 'account_not_found' });
  });
});

describe('a callback of Tripay', () => {
  const privateKey = 'private';
  const gateway = createTripayGateway({
    ...{ apiKey: 'key', privateKey, merchantCode: 'T0001', baseUrl: 'http://127.0.0.1' },
    fallbackEmail: 'orders@shop.example',
  });
  const paid = {
    ...{ reference: 'T1', merchant_ref: 'INV-1', status: 'PAID', total_amount: '40000', total_fee: '1030' },
    ...{ paid_at: '1777777777', note: null },
  };
  const read = (sent: object) => {
    const body = new TextEncoder().encode(JSON.stringify(sent));
    const signature = createHmac('sha256', privateKey).update(body).digest('hex');
    const headers = { 'x-callback-signature': signature, 'x-callback-event': 'payment_status' };
    return gateway.callbacks?.read({ headers, body });
  };

  it('reads numbers as strings', () => {
    expect(read(paid)).toMatchObject({
      state: 'event',
      event: { report: { status: 'paid', amount: 40_000, at: 1_777_777_777_000, fee: 1_030 } },
    });
  });

  it.each([
    { ...paid, reference: null, merchant_ref: null, note: 'Test Callback' },
    { ...paid, reference: null, merchant_ref: null },
    { ...paid, reference: 'T0001TEST', merchant_ref: null, note: 'Test Callback' },
    { ...paid, reference: 'T0001TEST', merchant_ref: '', note: 'test' },
  ])('ignores a test of the address, because it is not about money: %j', (sent) => {
    expect(read(sent)).toEqual({ state: 'ignored', reason: expect.stringContaining('test') });
  });

  it.each([
    { ...paid, merchant_ref: null },
    { ...paid, note: 'Test Callback' },
    { ...paid, merchant_ref: null, note: 'latest' },
  ])("doesn't mistake a payment for a test: %j", (sent) => {
    expect(read(sent)).toMatchObject({ state: 'event' });
  });
});
