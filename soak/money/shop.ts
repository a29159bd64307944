import { defaultLimits } from '@topup-kit/core/app';
import { issueKey } from '@topup-kit/core/engine';
import { secureRandom } from '@topup-kit/core/platform';
import { sandboxCatalog } from '@topup-kit/core/sandbox';
import type { Catalog, Store } from '@topup-kit/core/store';
import { supplierNames } from '@topup-kit/providers/registry';
import { pino } from 'pino';
import { receiveCallbacks } from '../../packages/server/src/features/callbacks/feature.ts';
import { readConfig } from '../../packages/server/src/index.ts';
import { createMetrics } from '../../packages/server/src/observability/metrics.ts';
import { createService } from '../../packages/server/src/service/service.ts';
import { sha256Hex } from '../../packages/server/src/service/sha256.ts';
import type { Service } from '../../packages/server/src/service/world.ts';
import { fixtureOrder } from '../../packages/server/test/helpers/sandbox.ts';
import { createAdapters } from './adapters.ts';
import { createLife, type Life, mortal } from './life.ts';
import {
  type Pair,
  type SimulatedProviders,
  type SupplierName,
  startSimulatedProviders,
} from './simulated.ts';

/** Start of the clock: 1 May 2026, 12:00 in Jakarta. */
const start = Date.UTC(2026, 4, 1, 5);

/** Commands of a store that write. */
const writes: ReadonlySet<string> = new Set([
  ...['placeOrder', 'reserveOrder', 'finaliseOrder', 'abandonOrder', 'changeOrder'],
  ...['addReconciliation', 'addCallback', 'closeRefund'],
]);
const requests: ReadonlySet<string> = new Set([
  ...['createPayment', 'findPayment', 'checkPayment', 'submit', 'find'],
]);

const codeAt = (supplier: SupplierName): string => (supplier === 'digiflazz' ? 'ml86' : 'ML86');

/** Returns the supplier after the given one. */
export const otherThan = (supplier: SupplierName): SupplierName =>
  supplierNames[(supplierNames.indexOf(supplier) + 1) % supplierNames.length] ?? supplier;

/** Returns the sandbox's catalogue with the product's code at the supplier, or at each of several suppliers. */
function catalogFor(suppliers: readonly [SupplierName, ...SupplierName[]]): Catalog {
  const catalog = sandboxCatalog('en');
  const bought =
    suppliers.length === 1
      ? { supplier_code: codeAt(suppliers[0]) }
      : { suppliers: suppliers.map((supplier) => ({ supplier, code: codeAt(supplier) })) };
  return {
    ...catalog,
    games: catalog.games.map((game) => ({
      ...game,
      products: game.products.map((one) => (one.id === 901 ? { ...one, ...bought } : one)),
    })),
  };
}

/** Order as the client of the shop saw it. */
export interface Shown {
  orderId: string;
  reference: string;
  total: number;
}

/**
 * Opens a live shop on simulated providers, in this process. It buys at the supplier of its pair, or at both suppliers, starting with that
 * one. It is killed at step number `dieAt` (see {@link Life}) and started again on the same store; then it is not killed any more.
 */
export async function openShop(
  pair: Pair,
  { dieAt, isAtBoth, store }: { dieAt: number | null; isAtBoth: boolean; store: Store },
) {
  const suppliers: readonly [SupplierName, ...SupplierName[]] = isAtBoth
    ? [pair.supplier, otherThan(pair.supplier)]
    : [pair.supplier];
  let elapsed = 0;
  const clock = (): number => start + elapsed;
  let life: Life = createLife(dieAt);
  let service: Service;
  let kills = 0;

  const providers: SimulatedProviders = await startSimulatedProviders(
    start,
    async (path, { headers, body }) => {
      const request = new Request(`http://shop.test${path}`, { method: 'POST', headers, body });
      const { app } = service;
      return untilDeath(app.fetch(request));
    },
  );
  let adapters = createAdapters({ gateway: pair.gateway, suppliers }, providers, clock);
  await store.claimMode('live');
  await store.replaceCatalog(catalogFor(suppliers));
  const { key } = await issueKey(
    { store, hash: sha256Hex, random: secureRandom, realClock: clock },
    { mode: 'live', accountId: 'shop', name: 'shop', scopes: ['orders:write'] },
  );

  const config = readConfig({ TOPUP_MODE: 'live' });
  const logger = pino({ level: 'silent' });
  const metrics = createMetrics();
  const inWorld = receiveCallbacks({ config, logger, metrics, closing: new AbortController().signal });
  function revive(): void {
    service = createService(
      config,
      {
        gateway: mortal(adapters.gateway, life, requests),
        supplier: mortal(adapters.supplier, life, requests),
        otherSuppliers: adapters.otherSuppliers.map((supplier) => mortal(supplier, life, requests)),
        realClock: clock,
      },
      {
        store: mortal(store, life, writes),
        fixedKeys: [],
        logger,
        rooms: [inWorld],
        world: { now: clock, unheld: clock, offset: () => 0, setOffset: () => {}, hold: () => {} },
        emit: () => {},
        metrics,
        whyUnready: async () => null,
        failure: () => null,
        settings: {
          publicUrl: 'http://shop.test',
          basePath: '/api',
          timezone: 'Asia/Jakarta',
          locale: 'en',
          currency: 'IDR',
          limits: { ...defaultLimits, readsPerMinute: 0, ordersPerMinute: 0 },
        },
      },
    );
  }
  revive();

  /** Returns the result of work, or null if the shop is killed before its end. The shop is then started again. */
  async function untilDeath<Result>(work: Promise<Result>): Promise<Result | null> {
    const { death } = life;
    const result = await Promise.race([work, death.then(() => null)]);
    if (!life.isAlive()) {
      kills += 1;
      life = createLife(null);
      revive();
    }
    return result;
  }

  async function advance(seconds: number): Promise<void> {
    await providers.control('advance', { seconds });
    elapsed += seconds * 1_000;
    // Runs twice, because the results of the first run may make more work due.
    for (let run = 0; run < 2; run += 1) await untilDeath(service.dueWork.run());
    await providers.control('advance', { seconds: 0 });
  }

  /** Restarts the shop with another supplier, which uses the product codes of the first one. */
  function changeSupplier(supplier: SupplierName): void {
    const other = createAdapters({ gateway: pair.gateway, suppliers: [supplier] }, providers, clock);
    const productCode = codeAt(supplier);
    adapters = {
      ...other,
      supplier: {
        ...other.supplier,
        submit: (request, signal) => other.supplier.submit({ ...request, productCode }, signal),
        find: (request, signal) => other.supplier.find({ ...request, productCode }, signal),
      },
    };
    revive();
  }

  return {
    pair,
    providers,
    changeSupplier,
    store,
    clock,
    advance,
    kills: () => kills,
    steps: () => life.steps(),

    /** Orders as a client does: with the same key again until the outcome is certain. `over` contains other fields of the order. */
    async order(over: object = {}, once = 'once'): Promise<Shown | null> {
      for (let attempt = 0; attempt < 4; attempt += 1) {
        const response = await untilDeath(
          service.app.fetch(
            new Request('http://shop.test/api/order', {
              method: 'POST',
              headers: { 'Content-Type': 'application/json', 'X-API-KEY': key, 'Idempotency-Key': once },
              body: JSON.stringify({ ...fixtureOrder, promo_code: undefined, ...over }),
            }),
          ),
        );
        if (response?.status === 201) {
          const { orderId, data } = JSON.parse(await response.text());
          return { orderId, reference: data.payment_reference, total: data.total_price };
        }
        await advance(45);
      }
      return null;
    },

    async [Symbol.asyncDispose]() {
      life.kill();
      await providers[Symbol.asyncDispose]();
    },
  };
}

export type Shop = Awaited<ReturnType<typeof openShop>>;
