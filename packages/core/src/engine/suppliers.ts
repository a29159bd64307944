import type { CatalogProduct, OrderedProduct } from '../store/index.ts';
import type { Supplier } from '../supplier/index.ts';

/** The suppliers that a server buys from. */
export interface ConfiguredSuppliers<Named extends { name: string } = Supplier> {
  /** The first supplier, which sells products that name no supplier, too. */
  supplier: Named;
  /** The other suppliers, in the order of the settings; none by default. */
  otherSuppliers?: readonly Named[] | undefined;
}

export const allSuppliers = <Named extends { name: string }>({
  supplier,
  otherSuppliers = [],
}: ConfiguredSuppliers<Named>): readonly Named[] => [supplier, ...otherSuppliers];

export const findSupplier = <Named extends { name: string }>(
  configured: ConfiguredSuppliers<Named>,
  name: string,
): Named | undefined => allSuppliers(configured).find((supplier) => supplier.name === name);

/** A supplier of a product, and the supplier's code for the product. */
export interface Offer {
  supplier: string;
  code: string;
}

export type Bought = Pick<OrderedProduct, 'code' | 'supplier_code' | 'suppliers'>;

/** Returns the first supplier's code for a product that names no suppliers. */
export const supplierCodeOf = ({ code, supplier_code }: Omit<Bought, 'suppliers'>): string =>
  supplier_code ?? code;

/** Returns a product's code at a supplier; null means an unknown supplier. */
export const codeAt = (product: Bought, supplier: string | null): string =>
  product.suppliers?.find((offer) => offer.supplier === supplier)?.code ?? supplierCodeOf(product);

/** Returns a supplier's code for a product; null if it names only other suppliers. If it names none, any supplier may be the first. */
export const listedCodeOf = (product: Bought, supplier: string): string | null =>
  product.suppliers?.length
    ? (product.suppliers.find((offer) => offer.supplier === supplier)?.code ?? null)
    : supplierCodeOf(product);

/**
 * Returns a product's code at the supplier that determines its price: the first supplier that the product names, or else the first one of
 * the settings. Returns null for any other supplier.
 */
export function followedCodeOf(
  product: Bought,
  { supplier, isFirst }: { supplier: string; isFirst: boolean },
): string | null {
  const [first] = product.suppliers ?? [];
  if (first) return first.supplier === supplier ? first.code : null;
  return isFirst ? supplierCodeOf(product) : null;
}

/** Removes suppliers' data that is much older than the newest. All configured suppliers are asked again within minutes. */
export function saidLately<Said extends { readAt: number }>(said: readonly Said[]): Said[] {
  const newest = Math.max(...said.map(({ readAt }) => readAt));
  return said.filter(({ readAt }) => readAt > newest - 60 * 60_000);
}

/** Returns a product's offers from configured suppliers, in its own order; if it names none, only the first supplier's offer. */
export function offersOf(
  product: Bought | CatalogProduct,
  configured: ConfiguredSuppliers<{ name: string }>,
): Offer[] {
  const named = product.suppliers ?? [];
  return named.length === 0
    ? [{ supplier: configured.supplier.name, code: supplierCodeOf(product) }]
    : named.filter(({ supplier }) => findSupplier(configured, supplier) !== undefined);
}
