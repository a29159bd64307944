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

interface Obstacle {
  reason: string;
  kind?: FailureReason;
}

/** Why a list forbids a purchase; null when it allows it. */
function obstacleIn(
  products: readonly PricedProduct[],
  { productCode, maxPrice }: SupplyRequest,
): Obstacle | null {
  const product = products.find(({ code }) => code === productCode);
  if (!product)
    return {
      reason: `it has no product ${productCode}: check the product's code in the catalogue`,
      kind: 'product_unavailable',
    };
  if (!product.isAvailable)
    return { reason: `the product ${productCode} is not available`, kind: 'product_unavailable' };
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
  readList: (signal: AbortSignal) => Promise<PricedProduct[]>;
  clock: () => number;
}) {
  let last: { products: PricedProduct[]; readAt: number } | undefined;
  let reading: Promise<PricedProduct[]> | undefined;

  /** Reads the list, and keeps it for the next purchases. */
  async function readProducts(signal: AbortSignal): Promise<PricedProduct[]> {
    const readAt = clock();
    const products = await readList(signal);
    last = { products, readAt };
    return products;
  }

  function readForAll(): Promise<PricedProduct[]> {
    reading ??= readProducts(AbortSignal.timeout(readMs)).finally(() => {
      reading = undefined;
    });
    return reading;
  }

  function lastProducts(): PricedProduct[] | undefined {
    const age = last ? clock() - last.readAt : -1;
    return age >= 0 && age <= lastListMs ? last?.products : undefined;
  }

  const wait = (reason: string): SupplyResult => ({
    state: 'pending',
    waitsFor: 'supplier',
    reason: http.error(`nothing was bought yet, because ${reason}`).message,
  });

  return {
    readProducts,
    /** Resolves with what becomes of a purchase that must not be made: it fails, or waits; with null when it may be made. */
    async check(request: SupplyRequest, signal: AbortSignal): Promise<SupplyResult | null> {
      const late = http.error(`its list did not come within ${waitMs / 1000} seconds.`);
      const limit = AbortSignal.any([signal, AbortSignal.timeout(waitMs)]);
      try {
        const obstacle = obstacleIn(await before(readForAll(), limit, late), request);
        if (obstacle === null) return null;
        const reason = http.error(`nothing was bought, because ${obstacle.reason}.`).message;
        return { state: 'failed', reason, kind: obstacle.kind };
      } catch (error) {
        const why = `the price could not be read (${error instanceof Error ? error.message : 'unknown error'})`;
        const products = lastProducts();
        if (products === undefined) return wait(`${why}. It is read again for the next try.`);
        const obstacle = obstacleIn(products, request);
        return obstacle && wait(`${why}, and by the last list ${obstacle.reason}.`);
      }
    },
  };
}
