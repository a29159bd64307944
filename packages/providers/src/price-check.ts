import type { FailureReason } from '@topup-kit/core/contract';
import type { SupplierProduct, SupplyRequest, SupplyResult } from '@topup-kit/core/supplier';
import type { ProviderHttp } from './http.ts';

/** How long a purchase waits for the list, so that there is time for the purchase itself. */
const waitMs = 5_000;

/** How long a list may take that purchases wait for: it goes on when one gives up, and serves the next ones. */
const readMs = 60_000;

/** How long the last list serves for the price when none can be read: the same at each supplier. */
const lastListMs = 5 * 60_000;

type PricedProduct = SupplierProduct & { price: number };

/** A list as it was read. */
export interface PricedList {
  products: PricedProduct[];
  /** Whether each of its rows could be read. */
  isComplete: boolean;
}

/** Why a list forbids a purchase, and what the purchase waits for, unless it fails. */
interface Obstacle {
  reason: string;
  kind?: FailureReason;
  waitsFor?: 'supplier' | 'product';
}

/** Why a list forbids a purchase; null when it allows it. */
function obstacleIn(
  { products, isComplete }: PricedList,
  { productCode, maxPrice }: SupplyRequest,
): Obstacle | null {
  const product = products.find(({ code }) => code === productCode);
  if (!product)
    return isComplete
      ? {
          reason: `it has no product ${productCode}: check the product's code in the catalogue`,
          kind: 'product_unavailable',
        }
      : { reason: `no row that can be read is of the product ${productCode}`, waitsFor: 'supplier' };
  if (!product.isAvailable)
    return { reason: `the product ${productCode} is not available`, waitsFor: 'product' };
  if (product.price <= maxPrice) return null;
  return {
    reason: `the product ${productCode} costs up to ${product.price}, which is more than ${maxPrice}, its price in the order without a promo code`,
  };
}

/** What the promise becomes, unless the signal aborts first. */
const before = <Value>(promise: Promise<Value>, signal: AbortSignal, late: Error): Promise<Value> =>
  new Promise((resolve, reject) => {
    if (signal.aborted) reject(late);
    signal.addEventListener('abort', () => reject(late), { once: true });
    promise.then(resolve, reject);
  });

/**
 * Knows what products cost, for suppliers that take no limit for the price of a purchase. Reads the list before each purchase, one at a time for all that wait. When it can't be read, the last one serves for
 * `lastListMs`: it may allow a purchase, but it fails none. Without one the purchase waits, and nothing is bought on an old price.
 */
export function createPriceCheck({
  http,
  readList,
  clock,
}: {
  http: ProviderHttp;
  readList: (signal: AbortSignal) => Promise<PricedList>;
  clock: () => number;
}) {
  let last: (PricedList & { readAt: number }) | undefined;
  let reading: Promise<PricedList> | undefined;

  /** Reads the list, and keeps it for the next purchases. One that is empty, or was cut off, is as good as none. */
  async function read(signal: AbortSignal): Promise<PricedList> {
    const readAt = clock();
    const list = await readList(signal);
    const before = lastList()?.products.length ?? 0;
    const { length } = list.products;
    if (length === 0 || length < before / 2)
      throw http.error(`its list has ${length} products that can be read, and had ${before}.`);
    last = { ...list, readAt };
    return list;
  }

  function readForAll(): Promise<PricedList> {
    reading ??= read(AbortSignal.timeout(readMs)).finally(() => {
      reading = undefined;
    });
    return reading;
  }

  function lastList(): PricedList | undefined {
    const age = last ? clock() - last.readAt : -1;
    return age >= 0 && age <= lastListMs ? last : undefined;
  }

  const wait = (waitsFor: 'supplier' | 'product', reason: string): SupplyResult => ({
    state: 'pending',
    waitsFor,
    reason: http.error(`nothing was bought yet, because ${reason}`).message,
  });

  return {
    readProducts: async (signal: AbortSignal) => (await read(signal)).products,
    /** Resolves with what becomes of a purchase that must not be made: it fails, or waits; with null when it may be made. */
    async check(request: SupplyRequest, signal: AbortSignal): Promise<SupplyResult | null> {
      const late = http.error(`its list did not come within ${waitMs / 1000} seconds.`);
      const limit = AbortSignal.any([signal, AbortSignal.timeout(waitMs)]);
      try {
        const obstacle = obstacleIn(await before(readForAll(), limit, late), request);
        if (obstacle === null) return null;
        if (obstacle.waitsFor) return wait(obstacle.waitsFor, `${obstacle.reason}.`);
        const reason = http.error(`nothing was bought, because ${obstacle.reason}.`).message;
        return { state: 'failed', reason, kind: obstacle.kind };
      } catch (error) {
        const why = `the price could not be read (${error instanceof Error ? error.message : 'unknown error'})`;
        const list = lastList();
        if (list === undefined) return wait('supplier', `${why}. It is read again for the next try.`);
        const obstacle = obstacleIn(list, request);
        return obstacle && wait('supplier', `${why}, and by the last list ${obstacle.reason}.`);
      }
    },
  };
}
