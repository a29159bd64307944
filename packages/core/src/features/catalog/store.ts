import type { Catalog, CatalogEdit, Conflict, Done, SupplierList } from '../../store/index.ts';

/** How a price is computed from a cost. Amounts are of one unit: integers in the smallest unit. */
export interface MarginRule {
  /** Added to the cost, in basis points of it, rounded up. */
  percent: number;
  /** Added as well. */
  flat: number;
  /** The least that a price is above the cost. */
  minimum: number;
  /** The lowest price. */
  floor: number;
  /** Prices are rounded up to a multiple of `up`, or so that they end in 900; null leaves them. */
  rounding: { up: number } | 'end-900' | null;
}

/** From the nearest to a product to the widest. */
export const marginScopes = ['product', 'game', 'category', 'shop'] as const;

/** A rule and what it is for: a game by its slug, a category of games by its id, a product by its code; '' is the shop. */
export interface Margin {
  scope: (typeof marginScopes)[number];
  key: string;
  rule: MarginRule;
}

/** What an edit makes of the catalogue, and the revision of the store by which it was planned. */
export interface PlannedCatalog {
  revision: number;
  /** Null leaves it as it is. */
  catalog: Catalog | null;
  margins: readonly Margin[];
  /** The supplier's list by which its prices were computed. */
  pricedBy?: SupplierList;
}

/** What operators, and what suppliers list, change of the catalogue. */
export interface CatalogStore {
  /** The margin rules, which no import changes, by scope and key. */
  readMargins(): Promise<Margin[]>;
  /**
   * Stores the catalogue without its promos, which stay as they are, all margin rules, and the edit in the history; null is for
   * what changed no value.
   * `catalog_changed`: the revision of the store is no longer the one by which the edit was planned.
   */
  editCatalog(planned: PlannedCatalog, edit: CatalogEdit | null): Promise<Done | Conflict<'catalog_changed'>>;
  /** The list of each supplier by which prices were computed last, the newest first. */
  readPricedLists(): Promise<SupplierList[]>;
  /** Replaces the list of its supplier. */
  saveSupplierList(list: SupplierList): Promise<Done>;
}
