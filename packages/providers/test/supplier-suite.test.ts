import type { Supplier } from '@topup-kit/core/supplier';
import { describe, it } from 'vitest';
import { hurryWaits } from '../../../test/hurry.ts';
import { startSimulated, start as startTime } from '../../simulators/test/helpers/simulators.ts';
import { type FakeSupplier, type SupplierRejection, supplierCases } from '../../suites/src/supplier.ts';
import { createDigiflazzSupplier } from '../src/digiflazz/adapter.ts';
import type { SupplierName } from '../src/registry.ts';
import { createTokovoucherSupplier } from '../src/tokovoucher/adapter.ts';
import { createVipResellerSupplier } from '../src/vip-reseller/adapter.ts';
import { callbackOf, purchase, startFake } from './helpers/suppliers.ts';

hurryWaits();

type Simulated = Awaited<ReturnType<typeof startSimulated>>;

interface Options {
  supplier: (baseUrl: string, clock?: () => number) => Supplier;
  /** The operation that lists products, where purchases need the list. */
  lists?: string;
  /** What the service responds to a request, when it rejects every purchase with these words. */
  rejects: (words: string, body: string) => object;
  words: Record<SupplierRejection, string>;
  productCode: string;
  secrets: string[];
  /** The operation that buys. */
  buys: string;
  /** The plan of a purchase that stays open. */
  open: string;
  settle: (simulated: Simulated, outcome: 'delivered' | 'failed') => Promise<unknown>;
  count: (simulated: Simulated) => Promise<number>;
}

/** The simulator of a supplier, as a fake. */
async function startFakeSupplier(provider: SupplierName, options: Options): Promise<FakeSupplier> {
  const simulated = await startSimulated(provider);
  await Promise.all([1, 2, 3, 4].map(() => simulated.act('plan', { outcome: options.open })));
  let ahead = 0;
  const faults = { 'no-response': 'slow', 'lost-response': 'lost-response', 'error-500': 'error-500' };
  return {
    supplier: options.supplier(simulated.baseUrl, () => startTime + ahead),
    unreachable: options.supplier('http://127.0.0.1:65529'),
    async rejecting(cause) {
      const { baseUrl } = await startFake((body) => ({ body: options.rejects(options.words[cause], body) }));
      return options.supplier(baseUrl);
    },
    ...(options.lists && {
      failList: async () => void (await simulated.fault('error-500', { on: options.lists, times: 20 })),
    }),
    request: purchase({ productCode: options.productCode }),
    secrets: options.secrets,
    fail: async (fault) => void (await simulated.fault(faults[fault], { on: options.buys })),
    settle: async (outcome) => void (await options.settle(simulated, outcome)),
    countPurchases: () => options.count(simulated),
    async advance(ms) {
      ahead += ms;
      await simulated.advance(ms / 1000);
    },
    readCallback() {
      const last = simulated.shop.received.at(-1);
      return last && callbackOf(last);
    },
    close: () => simulated[Symbol.asyncDispose](),
  };
}

const clock = () => startTime;

const doubles: Record<SupplierName, Options> = {
  digiflazz: {
    supplier: (baseUrl) =>
      createDigiflazzSupplier(
        { username: 'username', apiKey: 'apikey', webhookSecret: 'somesecretvalue', baseUrl },
        { clock },
      ),
    rejects: (rc) => ({ data: { rc, status: 'Gagal', message: '' } }),
    words: { address: '45', key: '41', balance: '44', maintenance: '66', limit: '83', unknown: '98' },
    ...{ productCode: 'ml86', secrets: ['apikey', 'somesecretvalue'], buys: 'transaction', open: 'pending' },
    async settle({ act, books }, outcome) {
      const rc = outcome === 'delivered' ? '00' : '02';
      for (const { ref_id } of (await books()).purchases) await act('resolve', { ref_id, rc });
    },
    count: async ({ books }) => (await books()).purchases.length,
  },
  'vip-reseller': {
    supplier: (baseUrl, clock) =>
      createVipResellerSupplier({ apiId: 'id1', apiKey: 'key1', baseUrl }, clock && { clock }),
    lists: 'services',
    rejects: (message, body) =>
      body.includes('type=services')
        ? { result: true, data: [{ code: 'ML86', status: 'available', price: { basic: 1 } }] }
        : { result: false, data: null, message },
    words: {
      address: 'IP 2001:db8::1 is not permitted',
      key: 'Permintaan tidak sesuai: key atau sign salah',
      balance: 'Saldo tidak mencukupi',
      maintenance: 'Sistem sedang maintenance',
      limit: 'Terlalu banyak permintaan, coba lagi nanti',
      unknown: 'Hubungi admin',
    },
    ...{ productCode: 'ML86', secrets: ['key1', 'b157f66e7159abe523a88b0028d80694'] },
    ...{ buys: 'order', open: 'waiting' },
    async settle({ act, books }, outcome) {
      const status = outcome === 'delivered' ? 'success' : 'error';
      for (const { trxid } of (await books()).orders) await act('resolve', { trxid, status });
    },
    count: async ({ books }) => (await books()).orders.length,
  },
  tokovoucher: {
    supplier: (baseUrl, clock) =>
      createTokovoucherSupplier(
        { memberCode: 'MEM1', secret: 'secret', signature: 'simulated-default-signature', baseUrl },
        clock && { clock },
      ),
    lists: 'products',
    rejects: (error_msg, body) =>
      body === ''
        ? { status: 1, data: { produk: [{ kode_produk: 'ML86', price: 1, status: 1 }] } }
        : { status: 0, error_msg },
    words: {
      address: 'Ip Not Allow',
      key: 'Signature Invalid',
      balance: 'Saldo Tidak Cukup',
      maintenance: 'Server sedang maintenance',
      limit: 'Limit transaksi tercapai',
      unknown: 'Hubungi admin',
    },
    ...{ productCode: 'ML86', secrets: ['simulated-default-signature'] },
    ...{ buys: 'transaction', open: 'pending' },
    async settle({ act, books }, outcome) {
      const status = outcome === 'delivered' ? 'sukses' : 'gagal';
      for (const { ref_id } of (await books()).purchases) await act('resolve', { ref_id, status });
    },
    count: async ({ books }) => (await books()).purchases.length,
  },
};

describe.each(Object.entries(doubles))('the adapter of %s does what every supplier must', (name, options) => {
  // Safe: these are the keys of the literal.
  for (const { name: behaviour, run } of supplierCases(() =>
    startFakeSupplier(name as SupplierName, options),
  ))
    it(behaviour, { timeout: 20_000 }, run);
});
