import type { FailureReason } from '@topup-kit/core/contract';
import type { PurchaseRequest, PurchaseResult, SupplierProduct } from '@topup-kit/core/supplier';
import type { ProviderHttp } from './http.ts';

/** Maximum time that a purchase waits for the list, in milliseconds. It leaves time for the purchase itself. */
const waitMs = 5_000;

/** Timeout of reading a list, in milliseconds. Reading continues if one purchase stops waiting, and serves the next purchases. */
const readMs = 60_000;

/** Time for which an earlier list is valid for prices if no list can be read, in milliseconds; equal for all suppliers. */
const lastListMs = 5 * 60_000;

type PricedProduct = SupplierProduct & { price: number };

/** List with the time when it was read. */
export interface PricedList {
  products: PricedProduct[];
  /** True if all rows could be read. */
  isComplete: boolean;
}

/** Reason why a list forbids a purchase, and what the purchase waits for; without the latter, the purchase fails. */
interface Obstacle {
  reason: string;
  kind?: FailureReason;
  waitsFor?: 'supplier' | 'product';
}

/** Finds the reason why a list forbids a purchase; null if the list allows it. */
function obstacleIn(
  { products, isComplete }: PricedList,
  { productCode, maxPrice }: PurchaseRequest,
): Obstacle | null {
  const product = products.find(({ code }) => code === productCode);
  if (!product)
    return isComplete
      ? {
          reason: `it has no product ${productCode}: check the product's code in the catalogue`,
          kind: 'product_unavailable',
        }
      : { reason: `no readable row has the product ${productCode}`, waitsFor: 'supplier' };
  if (!product.isAvailable)
    return { reason: `the product ${productCode} is not available`, waitsFor: 'product' };
  if (product.price <= maxPrice) return null;
  return {
    reason: `the product ${productCode} costs up to ${product.price}, which is more than ${maxPrice}, its price in the order without a promo code`,
  };
}

/** Resolves like the promise, unless the signal aborts first. */
const before = <Value>(promise: Promise<Value>, signal: AbortSignal, late: Error): Promise<Value> =>
  new Promise((resolve, reject) => {
    if (signal.aborted) reject(late);
    signal.addEventListener('abort', () => reject(late), { once: true });
    promise.then(resolve, reject);
  });

/**
 * Creates a check of prices for suppliers that accept no price limit. It reads the list before each purchase, once for all waiting
 * purchases. If reading fails, the previous list is valid for `lastListMs`: it may allow a purchase, but never fails one. Without a valid
 * list, the purchase waits, so that nothing is bought at an old price.
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

  /** Reads the list, and keeps it for the next purchases. An empty or truncated list counts as unreadable. */
  async function read(signal: AbortSignal): Promise<PricedList> {
    const readAt = clock();
    const list = await readList(signal);
    const before = lastList()?.products.length ?? 0;
    const { length } = list.products;
    if (length === 0 || length < before / 2)
      throw http.error(`its list has ${length} readable products; the previous list had ${before}.`);
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

  const wait = (waitsFor: 'supplier' | 'product', reason: string): PurchaseResult => ({
    state: 'pending',
    waitsFor,
    reason: http.error(`nothing was bought yet, because ${reason}`).message,
  });

  return {
    readProducts: async (signal: AbortSignal) => (await read(signal)).products,
    /** Resolves with the result of a purchase that must not be made, because it fails or waits; null if it may be made. */
    async check(request: PurchaseRequest, signal: AbortSignal): Promise<PurchaseResult | null> {
      const late = http.error(`its list did not arrive within ${waitMs / 1000} seconds.`);
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
        if (list === undefined)
          return wait('supplier', `${why}. The server reads it again before the next attempt.`);
        const obstacle = obstacleIn(list, request);
        return obstacle && wait('supplier', `${why}, and according to the last list, ${obstacle.reason}.`);
      }
    },
  };
}
