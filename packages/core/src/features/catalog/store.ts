import type { Catalog, CatalogEdit, Conflict, Done, SupplierList } from '../../store/index.ts';

/** Computes a price from a cost. Amounts are per unit: integers in the smallest unit. */
export interface MarginRule {
  /** Profit as a share of the cost, in basis points, rounded up. */
  percent: number;
  /** Additional fixed profit. */
  flat: number;
  /** Minimum profit per unit. */
  minimum: number;
  /** Minimum price. */
  floor: number;
  /** Rounds prices up to a multiple of `up`, or to end in 900; null doesn't round. */
  rounding: { up: number } | 'end-900' | null;
}

/** Scopes of margin rules, from the most specific to the widest. */
export const marginScopes = ['product', 'game', 'category', 'shop'] as const;

/** A margin rule with its scope. The key is a game's slug, a category's id, a product's code, or '' for the shop. */
export interface Margin {
  scope: (typeof marginScopes)[number];
  key: string;
  rule: MarginRule;
}

/** The catalogue after an edit, and the store's revision on which the edit is based. */
export interface PlannedCatalog {
  revision: number;
  /** The new catalogue; null if it doesn't change. */
  catalog: Catalog | null;
  margins: readonly Margin[];
  /** The supplier's list that set the prices. */
  pricedBy?: SupplierList;
}

/** The part of a store for changes of the catalogue by operators and by suppliers' lists. */
export interface CatalogStore {
  /** Reads the margin rules, sorted by scope and key. Imports never change them. */
  readMargins(): Promise<Margin[]>;
  /**
   * Stores the catalogue (except promos, which stay unchanged), all margin rules, and the edit in the history, which is null if no value
   * changed. `catalog_changed`: the store's revision has changed since the edit was planned.
   */
  editCatalog(planned: PlannedCatalog, edit: CatalogEdit | null): Promise<Done | Conflict<'catalog_changed'>>;
  /** Reads each supplier's list that last set prices, newest first. */
  readPricedLists(): Promise<SupplierList[]>;
  /** Stores a list in place of the supplier's last list. */
  saveSupplierList(list: SupplierList): Promise<Done>;
}
