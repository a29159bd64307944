import type { FailureReason } from '@topup-kit/core/contract';
import type { SupplierProduct, SupplyRequest } from '@topup-kit/core/supplier';

/** How long the price may take to read before a purchase, so that there is time for the purchase itself. */
const priceTimeoutMs = 5_000;

interface Obstacle {
  reason: string;
  kind?: FailureReason;
}

/**
 * Reads the price of a product before a purchase, for suppliers that take no limit for it. Resolves with why the purchase must not be
 * made: the product is not sold, costs more than the customer paid for, or its price can't be read; with null when it may.
 */
export async function findObstacle(
  { productCode, maxPrice }: SupplyRequest,
  readProducts: (signal: AbortSignal) => Promise<readonly (SupplierProduct & { price: number })[]>,
  signal: AbortSignal,
): Promise<Obstacle | null> {
  const obstacle = (reason: string, kind?: FailureReason): Obstacle => ({
    reason: `nothing was bought, because ${reason}.`,
    ...(kind && { kind }),
  });
  try {
    const products = await readProducts(AbortSignal.any([signal, AbortSignal.timeout(priceTimeoutMs)]));
    const product = products.find(({ code }) => code === productCode);
    if (!product)
      return obstacle(
        `it has no product ${productCode}: check the product's code in the catalogue`,
        'product_unavailable',
      );
    if (!product.isAvailable)
      return obstacle(`the product ${productCode} is not available`, 'product_unavailable');
    if (product.price <= maxPrice) return null;
    return obstacle(
      `the product ${productCode} costs up to ${product.price}, which is more than ${maxPrice}, its price in the order without a promo code`,
    );
  } catch (error) {
    return obstacle(
      `the price could not be read (${error instanceof Error ? error.message : 'unknown error'})`,
    );
  }
}
