import type { Supplier } from '@topup-kit/core/supplier';
import { describe, it } from 'vitest';
import { hurryWaits } from '../../../test/hurry.ts';
import { type SupplierDouble, supplierCases } from '../../suites/src/supplier.ts';
import { createDigiflazzSupplier } from '../src/digiflazz/adapter.ts';
import type { SupplierName } from '../src/registry.ts';
import { createTokovoucherSupplier } from '../src/tokovoucher/adapter.ts';
import { createVipResellerSupplier } from '../src/vip-reseller/adapter.ts';
import { startSimulated, start as startTime } from './helpers/simulators.ts';
import { callbackOf, purchase } from './helpers/suppliers.ts';

hurryWaits();

type Simulated = Awaited<ReturnType<typeof startSimulated>>;

interface Options {
  supplier: (baseUrl: string) => Supplier;
  productCode: string;
  secrets: string[];
  /** The operation that buys. */
  buys: string;
  /** The plan of a purchase that stays open. */
  open: string;
  settle: (simulated: Simulated, outcome: 'delivered' | 'failed') => Promise<unknown>;
  count: (simulated: Simulated) => Promise<number>;
}

/** The simulator of a supplier, as a double. */
async function startDouble(provider: SupplierName, options: Options): Promise<SupplierDouble> {
  const simulated = await startSimulated(provider);
  await Promise.all([1, 2, 3, 4].map(() => simulated.act('plan', { outcome: options.open })));
  const faults = { 'no-response': 'slow', 'lost-response': 'lost-response', 'error-500': 'error-500' };
  return {
    supplier: options.supplier(simulated.baseUrl),
    request: purchase({ productCode: options.productCode }),
    secrets: options.secrets,
    fail: async (fault) => void (await simulated.fault(faults[fault], { on: options.buys })),
    settle: async (outcome) => void (await options.settle(simulated, outcome)),
    countPurchases: () => options.count(simulated),
    advance: async (ms) => void (await simulated.advance(ms / 1000)),
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
    ...{ productCode: 'ml86', secrets: ['apikey', 'somesecretvalue'], buys: 'transaction', open: 'pending' },
    async settle({ act, books }, outcome) {
      const rc = outcome === 'delivered' ? '00' : '02';
      for (const { ref_id } of (await books()).purchases) await act('resolve', { ref_id, rc });
    },
    count: async ({ books }) => (await books()).purchases.length,
  },
  'vip-reseller': {
    supplier: (baseUrl) => createVipResellerSupplier({ apiId: 'id1', apiKey: 'key1', baseUrl }),
    ...{ productCode: 'ML86', secrets: ['key1', 'b157f66e7159abe523a88b0028d80694'] },
    ...{ buys: 'order', open: 'waiting' },
    async settle({ act, books }, outcome) {
      const status = outcome === 'delivered' ? 'success' : 'error';
      for (const { trxid } of (await books()).orders) await act('resolve', { trxid, status });
    },
    count: async ({ books }) => (await books()).orders.length,
  },
  tokovoucher: {
    supplier: (baseUrl) =>
      createTokovoucherSupplier({
        ...{ memberCode: 'MEM1', secret: 'secret', signature: 'simulated-default-signature', baseUrl },
      }),
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
  // safe: the keys of the literal
  for (const { name: behaviour, run } of supplierCases(() => startDouble(name as SupplierName, options)))
    it(behaviour, { timeout: 20_000 }, run);
});
