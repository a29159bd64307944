import { unitPrice } from '../../contract/index.ts';
import { productAt } from '../../engine/catalog/sale-times.ts';
import { byCode, type Closure, closureIn, type ListRow } from '../../engine/catalog/supplier-lists.ts';
import { followedCodeOf, listedCodeOf } from '../../engine/suppliers.ts';
import { canonicalJson } from '../../platform/index.ts';
import type { CatalogGame, CatalogProduct, SupplierList, SupplierProduct } from '../../store/index.ts';
import type { CatalogPlan, CatalogState } from './edit.ts';
import { type EditError, editErrors } from './edit-errors.ts';
import { type CostOf, type KeptOut, reprice, ruleFinder } from './margins.ts';

/** A price that follows its rule. Amounts are of one unit: integers in the smallest unit. */
export interface PriceChange {
  code: string;
  title: string;
  cost: number;
  from: number;
  to: number;
}

/** A product whose price no rule changes, and that brings too little. */
export interface ThinProduct {
  code: string;
  cost: number;
  price: number;
  isLocked: boolean;
  /** The least margin by its rule; 0 without one. */
  minimum: number;
}

export interface ClosedProduct {
  code: string;
  title: string;
  why: Closure;
}

/** What a list of a supplier means for the catalogue. */
export interface SyncPlan extends CatalogPlan {
  list: SupplierList;
  prices: readonly PriceChange[];
  /** Products whose price would follow their rule, if their row of the list made sense. */
  keptOut: readonly KeptOut[];
  /** Active products that the list closes now and did not close before. */
  closed: readonly ClosedProduct[];
  /** Codes of active products that the list opens again. */
  reopened: readonly string[];
  /** Codes of active products that are not listed. */
  unlisted: readonly string[];
  /** What the supplier lists and the catalogue does not sell. */
  withoutProduct: readonly SupplierProduct[];
  /** Locked products, and those without a rule, whose margin is negative or below the minimum of their rule. */
  thin: readonly ThinProduct[];
  /** How many active products have neither a rule nor a lock. */
  withoutRule: number;
  /** Why the list is not trusted; null when it is. */
  distrust: EditError | null;
}

/** A list with fewer than so much of what the one before had is not trusted. */
const leastShare = 2 / 3;

/** Why a list is not trusted, beside the one by which prices were computed last. */
function distrustOf(before: SupplierList | null, list: SupplierList): EditError | null {
  const [had, has] = [before?.products.length ?? 0, list.products.length];
  return has < had * leastShare ? editErrors.notTrusted(list.supplier, has, had) : null;
}

/** Whether lists differ in what a sync reads of them: cut-off hours, for example, change every day. */
function isOther(a: SupplierList, b: SupplierList): boolean {
  const read = ({ products }: SupplierList) =>
    products.map(({ code, price = null, isAvailable, stock }) => [code, price, isAvailable && stock !== 0]);
  return canonicalJson(read(a)) !== canonicalJson(read(b));
}

/** The list as the next one is compared with it: a cost that is not trusted is that of before, or unknown. */
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

/** How a list is applied. */
export interface SyncOptions {
  /** World time, by which sales begin and end. */
  now: number;
  /** Whether it is the list of the shop's first supplier, whom products follow that name none; true by default. */
  isFirst?: boolean | undefined;
  /** Whether it is trusted in any case, and what is listed at 0 or far from before, too. */
  force?: boolean | undefined;
}

/**
 * Plans what a list changes: prices that follow a margin rule. It closes nothing in the catalogue, because the service closes by the
 * list itself what can't be bought; the plan says what that is.
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
    // What several suppliers have, no list of one closes.
    if (code === null || (product.suppliers ?? []).length > 1) return [];
    // Each list with the prices that go with it.
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
 * The plan for an edit of the catalogue by a list.
 *
 * @throws EditError when the list is not trusted, unless it is forced.
 */
export const syncWith =
  (list: SupplierList, options: SyncOptions) =>
  (state: CatalogState): SyncPlan => {
    const plan = planSync(state, list, options);
    if (plan.distrust !== null && !options.force) throw plan.distrust;
    return plan;
  };
