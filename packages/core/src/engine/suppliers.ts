import type { CatalogProduct, OrderedProduct } from '../store/index.ts';
import type { Supplier } from '../supplier/index.ts';

/** The suppliers that a server buys from. */
export interface ConfiguredSuppliers<Named extends { name: string } = Supplier> {
  /** The first supplier, which also sells products that name none. */
  supplier: Named;
  /** The others, in the order of the settings; none by default. */
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

/** A supplier of a product, and its code for it. */
export interface Offer {
  supplier: string;
  code: string;
}

export type Bought = Pick<OrderedProduct, 'code' | 'supplier_code' | 'suppliers'>;

/** The supplier's code for a product that names no other. */
export const supplierCodeOf = ({ code, supplier_code }: Omit<Bought, 'suppliers'>): string =>
  supplier_code ?? code;

/** A product's code at a supplier; null stands for an unknown supplier. */
export const codeAt = (product: Bought, supplier: string | null): string =>
  product.suppliers?.find((offer) => offer.supplier === supplier)?.code ?? supplierCodeOf(product);

/** A supplier's code for a product; null if the product names only others. Without names, any supplier may be the first. */
export const listedCodeOf = (product: Bought, supplier: string): string | null =>
  product.suppliers?.length
    ? (product.suppliers.find((offer) => offer.supplier === supplier)?.code ?? null)
    : supplierCodeOf(product);

/**
 * A product's code at the supplier that its price follows: the first one that it names, or without names the first one of the settings;
 * null for any other supplier.
 */
export function followedCodeOf(
  product: Bought,
  { supplier, isFirst }: { supplier: string; isFirst: boolean },
): string | null {
  const [first] = product.suppliers ?? [];
  if (first) return first.supplier === supplier ? first.code : null;
  return isFirst ? supplierCodeOf(product) : null;
}

/**
 * Removes suppliers' data that is much older than the newest. Such a supplier is no longer asked, because all are asked again within
 * minutes.
 */
export function saidLately<Said extends { readAt: number }>(said: readonly Said[]): Said[] {
  const newest = Math.max(...said.map(({ readAt }) => readAt));
  return said.filter(({ readAt }) => readAt > newest - 60 * 60_000);
}

/** A product's offers from configured suppliers, in its order; without names, only the first supplier's. */
export function offersOf(
  product: Bought | CatalogProduct,
  configured: ConfiguredSuppliers<{ name: string }>,
): Offer[] {
  const named = product.suppliers ?? [];
  return named.length === 0
    ? [{ supplier: configured.supplier.name, code: supplierCodeOf(product) }]
    : named.filter(({ supplier }) => findSupplier(configured, supplier) !== undefined);
}
