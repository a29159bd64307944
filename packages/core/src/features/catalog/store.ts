import type { Catalog, CatalogEdit, Conflict, Done, SupplierList } from '../../store/index.ts';

/** Computes a price from a cost. Amounts are per unit: integers in the smallest unit. */
export interface MarginRule {
  /** Added to the cost, in basis points of it, rounded up. */
  percent: number;
  /** Added to the cost, too. */
  flat: number;
  /** Minimum profit per unit. */
  minimum: number;
  /** Minimum price. */
  floor: number;
  /** Rounds prices up to a multiple of `up`, or to end in 900; null doesn't round. */
  rounding: { up: number } | 'end-900' | null;
}

/** From the most specific to the widest. */
export const marginScopes = ['product', 'game', 'category', 'shop'] as const;

/** A rule and its scope: a game's slug, a category's id, a product's code, or '' for the shop. */
export interface Margin {
  scope: (typeof marginScopes)[number];
  key: string;
  rule: MarginRule;
}

/** The catalogue after an edit, and the store's revision on which the edit is based. */
export interface PlannedCatalog {
  revision: number;
  /** Null for no change. */
  catalog: Catalog | null;
  margins: readonly Margin[];
  /** The supplier's list that set its prices. */
  pricedBy?: SupplierList;
}

/** Changes of the catalogue by operators and by suppliers' lists. */
export interface CatalogStore {
  /** The margin rules by scope and key. Imports never change them. */
  readMargins(): Promise<Margin[]>;
  /**
   * Stores the catalogue without its promos, which stay unchanged, all margin rules, and the edit in the history; null if no value
   * changed. `catalog_changed`: the store's revision has changed since the planning.
   */
  editCatalog(planned: PlannedCatalog, edit: CatalogEdit | null): Promise<Done | Conflict<'catalog_changed'>>;
  /** Each supplier's list that last set prices, newest first. */
  readPricedLists(): Promise<SupplierList[]>;
  /** Replaces the list of its supplier. */
  saveSupplierList(list: SupplierList): Promise<Done>;
}
