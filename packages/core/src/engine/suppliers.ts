import type { CatalogProduct, OrderedProduct } from '../store/index.ts';
import type { Supplier } from '../supplier/index.ts';

/** Those that a server buys at. */
export interface ConfiguredSuppliers<Named extends { name: string } = Supplier> {
  /** The first one, which also buys what names no supplier. */
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

/** Where a product can be bought, and the code by which that supplier knows it. */
export interface Offer {
  supplier: string;
  code: string;
}

export type Bought = Pick<OrderedProduct, 'code' | 'supplier_code' | 'suppliers'>;

/** The code by which a supplier knows a product that names none for it. */
export const supplierCodeOf = ({ code, supplier_code }: Omit<Bought, 'suppliers'>): string =>
  supplier_code ?? code;

/** The code by which a product was or is bought at a supplier; null stands for one that is not known. */
export const codeAt = (product: Bought, supplier: string | null): string =>
  product.suppliers?.find((offer) => offer.supplier === supplier)?.code ?? supplierCodeOf(product);

/** The code by which a product is sold by a supplier; null when it names only others. Without names, any may be the first supplier. */
export const listedCodeOf = (product: Bought, supplier: string): string | null =>
  product.suppliers?.length
    ? (product.suppliers.find((offer) => offer.supplier === supplier)?.code ?? null)
    : supplierCodeOf(product);

/**
 * The code of a product at the supplier that its price follows: the one that it names first, and without names the first of the settings;
 * null when that is another one.
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
 * What suppliers said last, without what is so much older than the newest that its supplier is no longer asked: all are asked again
 * within minutes.
 */
export function saidLately<Said extends { readAt: number }>(said: readonly Said[]): Said[] {
  const newest = Math.max(...said.map(({ readAt }) => readAt));
  return said.filter(({ readAt }) => readAt > newest - 60 * 60_000);
}

/** The offers of a product at suppliers that are configured, in its order; without names the first supplier has it. */
export function offersOf(
  product: Bought | CatalogProduct,
  configured: ConfiguredSuppliers<{ name: string }>,
): Offer[] {
  const named = product.suppliers ?? [];
  return named.length === 0
    ? [{ supplier: configured.supplier.name, code: supplierCodeOf(product) }]
    : named.filter(({ supplier }) => findSupplier(configured, supplier) !== undefined);
}
