import { unitPrice } from '../../contract/index.ts';
import { productAt } from '../../engine/catalog/sale-times.ts';
import { byCode, type Closure, closureIn, type ListRow } from '../../engine/catalog/supplier-lists.ts';
import { followedCodeOf, listedCodeOf } from '../../engine/suppliers.ts';
import { canonicalJson } from '../../platform/index.ts';
import type { CatalogGame, CatalogProduct, SupplierList, SupplierProduct } from '../../store/index.ts';
import type { CatalogPlan, CatalogState } from './edit.ts';
import { type EditError, editErrors } from './edit-errors.ts';
import { type CostOf, type KeptOut, reprice, ruleFinder } from './margins.ts';

/** A price change by its rule. Amounts are per unit: integers in the smallest unit. */
export interface PriceChange {
  code: string;
  title: string;
  cost: number;
  from: number;
  to: number;
}

/** A product whose margin is too low and whose price no rule changes. */
export interface ThinProduct {
  code: string;
  cost: number;
  price: number;
  isLocked: boolean;
  /** The minimum margin of its rule; 0 if it has no rule. */
  minimum: number;
}

export interface ClosedProduct {
  code: string;
  title: string;
  why: Closure;
}

/** The effect of a supplier's list on the catalogue. */
export interface SyncPlan extends CatalogPlan {
  list: SupplierList;
  prices: readonly PriceChange[];
  /** Products that keep their price because their row is implausible. */
  keptOut: readonly KeptOut[];
  /** Active products that the list newly closes. */
  closed: readonly ClosedProduct[];
  /** Codes of active products that the list opens again. */
  reopened: readonly string[];
  /** Codes of active products that the list lacks. */
  unlisted: readonly string[];
  /** Listed products that the catalogue lacks. */
  withoutProduct: readonly SupplierProduct[];
  /** Locked products and products without a rule whose margin is negative or below the minimum of their rule. */
  thin: readonly ThinProduct[];
  /** Number of active products that have neither a rule nor a lock. */
  withoutRule: number;
  /** Reason why the list is rejected; null if it is accepted. */
  distrust: EditError | null;
}

/** A list is rejected if it has less than this share of the previous list's products. */
const leastShare = 2 / 3;

/** Returns the reason for rejecting a list, compared with the list that last set prices; null if it is accepted. */
function distrustOf(before: SupplierList | null, list: SupplierList): EditError | null {
  const [had, has] = [before?.products.length ?? 0, list.products.length];
  return has < had * leastShare ? editErrors.notTrusted(list.supplier, has, had) : null;
}

/** Tells whether two lists differ in data that a sync uses. Other data, such as cut-off hours, changes every day. */
function isOther(a: SupplierList, b: SupplierList): boolean {
  const read = ({ products }: SupplierList) =>
    products.map(({ code, price = null, isAvailable, stock }) => [code, price, isAvailable && stock !== 0]);
  return canonicalJson(read(a)) !== canonicalJson(read(b));
}

/** Returns the list for later comparisons, in which a rejected cost is replaced by the earlier cost or removed. */
function withTrustedCosts(
  list: SupplierList,
  distrusted: ReadonlySet<string | null>,
  before: ReadonlyMap<string, ListRow> | null,
): SupplierList {
  if (distrusted.size === 0) return list;
  const products = list.products.map(({ price: listed, ...row }) => {
    const price = distrusted.has(row.code) ? before?.get(row.code)?.price : listed;
    return { ...row, ...(price !== undefined && { price }) };
  });
  return { ...list, products };
}

interface Sold {
  product: CatalogProduct;
  game: CatalogGame;
}

export interface SyncOptions {
  /** World time in unix milliseconds. It decides which sale prices apply. */
  now: number;
  /** True if it is the list of the shop's first supplier, which sells products without a supplier; true by default. */
  isFirst?: boolean | undefined;
  /** True to accept the list in any case, including costs of 0 or far from before. */
  force?: boolean | undefined;
}

/**
 * Plans the price changes of a list by margin rules. It closes nothing in the catalogue, because the service itself closes products by the
 * list; the plan only names them.
 */
export function planSync(
  state: CatalogState,
  list: SupplierList,
  { now, isFirst = true, force = false }: SyncOptions,
): SyncPlan {
  const { catalog, margins, pricedLists } = state;
  const before = pricedLists.find(({ supplier }) => supplier === list.supplier) ?? null;
  const [listed, listedBefore] = [byCode(list), before && byCode(before)];
  const codeOf = (product: CatalogProduct) => followedCodeOf(product, { supplier: list.supplier, isFirst });
  const listedCostOf: CostOf = (product) => {
    const code = codeOf(product) ?? '';
    const { price: cost, hasSeveralPrices = false } = listed.get(code) ?? {};
    return cost === undefined
      ? undefined
      : { cost, before: listedBefore?.get(code)?.price, hasSeveralPrices };
  };
  const costOf = (product: CatalogProduct) => listedCostOf(product)?.cost;
  const ruleOf = ruleFinder(margins);
  const repriced = reprice(catalog, margins, { costOf: listedCostOf, force });
  const { catalog: next, keptOut, distrusted } = repriced;

  const pairs = (from: typeof catalog): Sold[] =>
    from.games.flatMap((game) => game.products.map((product) => ({ product, game })));
  const old = new Map(pairs(catalog).map(({ product }) => [product.code, product]));
  const sold = pairs(next).filter(({ product, game }) => product.status && game.status && !game.hidden);
  const prices = pairs(next).flatMap(({ product }): PriceChange[] => {
    const { code, title, selling_price: to } = product;
    const from = old.get(code)?.selling_price ?? to;
    return from === to ? [] : [{ code, title, cost: costOf(product) ?? 0, from, to }];
  });

  const closures = sold.flatMap(({ product }) => {
    const code = codeOf(product);
    // A single list doesn't close a product that has several suppliers.
    if (code === null || (product.suppliers ?? []).length > 1) return [];
    // Each list is compared with its own prices.
    const before = productAt(old.get(product.code) ?? product, now);
    const was = listedBefore ? closureIn(listedBefore.get(code), before) : null;
    return { product, was, is: closureIn(listed.get(code), productAt(product, now)) };
  });
  const thin = sold.flatMap(({ product, game }): ThinProduct[] => {
    const margin = ruleOf(product, game);
    const cost = costOf(product);
    const isLocked = product.price_locked === true;
    if (cost === undefined || (margin && !isLocked)) return [];
    const { code } = product;
    const price = unitPrice(productAt(product, now));
    const minimum = margin?.rule.minimum ?? 0;
    return price < cost + minimum ? [{ code, cost, price, isLocked, minimum }] : [];
  });
  const codes = new Set(pairs(catalog).flatMap(({ product }) => listedCodeOf(product, list.supplier) ?? []));
  const pricedBy = withTrustedCosts(list, new Set(distrusted.map(codeOf)), listedBefore);
  return {
    catalog: next,
    margins,
    ...((before === null || isOther(before, pricedBy)) && { pricedBy }),
    list,
    prices,
    keptOut,
    closed: closures
      .filter(({ was, is }) => is !== null && is !== was)
      .map(({ product: { code, title }, is }) => ({ code, title, why: is ?? 'unlisted' })),
    reopened: closures
      .filter(({ was, is }) => was !== null && is === null)
      .map(({ product }) => product.code),
    unlisted: closures.filter(({ is }) => is === 'unlisted').map(({ product }) => product.code),
    withoutProduct: list.products.filter(({ code }) => !codes.has(code)),
    thin,
    withoutRule: sold.filter(
      ({ product, game }) => codeOf(product) !== null && !product.price_locked && !ruleOf(product, game),
    ).length,
    distrust: distrustOf(before, list),
  };
}

/**
 * Creates the plan of a catalogue edit by a list.
 *
 * @throws EditError if the list is rejected, unless forced.
 */
export const planCatalogSync =
  (list: SupplierList, options: SyncOptions) =>
  (state: CatalogState): SyncPlan => {
    const plan = planSync(state, list, options);
    if (plan.distrust !== null && !options.force) throw plan.distrust;
    return plan;
  };
