import { byCode, type ListRow } from '../../engine/catalog/supplier-lists.ts';
import { followedCodeOf } from '../../engine/suppliers.ts';
import { canonicalJson } from '../../platform/index.ts';
import type {
  Catalog,
  CatalogGame,
  CatalogProduct,
  EditedValue,
  StoredCatalogEdit,
  SupplierList,
} from '../../store/index.ts';
import type { CatalogPlan, CatalogState } from './edit.ts';
import { editErrors } from './edit-errors.ts';
import { type CostOf, mapProducts, reprice, scopeText } from './margins.ts';
import type { Margin, MarginRule } from './store.ts';

/**
 * Creates a function that finds a product's row in the newest list of the supplier that determines its price. A product that names no
 * supplier uses the newest list that has it, because the store doesn't know the first supplier.
 */
function rowsBy(lists: readonly SupplierList[]): (product: CatalogProduct) => ListRow | undefined {
  const indexed = lists.map((list) => ({ list, listed: byCode(list) }));
  return (product) => {
    for (const { list, listed } of indexed) {
      const found = listed.get(followedCodeOf(product, { supplier: list.supplier, isFirst: true }) ?? '');
      if (found) return found;
    }
    return undefined;
  };
}

/** Reprices the catalogue by the accepted lists of the last syncs, or by the suppliers' last lists before the first sync. */
function repriced(
  catalog: Catalog,
  margins: readonly Margin[],
  { pricedLists, lists }: CatalogState,
): CatalogPlan {
  const isTrusted = pricedLists.length > 0;
  const rowOf = rowsBy(isTrusted ? pricedLists : lists);
  const costOf: CostOf = (product) => {
    const { price: cost, hasSeveralPrices = false } = rowOf(product) ?? {};
    return cost === undefined ? undefined : { cost, before: isTrusted ? cost : undefined, hasSeveralPrices };
  };
  const { catalog: changed, keptOut } = reprice(catalog, margins, { costOf });
  return { catalog: changed, margins, keptOut };
}

const productsOf = ({ games }: Catalog): CatalogProduct[] => games.flatMap(({ products }) => products);

function findProducts(catalog: Catalog, codes: readonly string[]): CatalogProduct[] {
  const products = new Map(productsOf(catalog).map((product) => [product.code, product]));
  const missing = codes.filter((code) => !products.has(code));
  if (missing.length > 0) throw editErrors.noProduct(missing);
  return codes.flatMap((code) => products.get(code) ?? []);
}

const findGame = ({ games }: Catalog, slug: string): CatalogGame => {
  const game = games.find((game) => game.slug === slug);
  if (game) return game;
  throw editErrors.noGame(slug);
};

const without = ({ price_locked: _gone, ...product }: CatalogProduct): CatalogProduct => product;

const changeProducts = (
  catalog: Catalog,
  codes: readonly string[],
  change: (product: CatalogProduct) => CatalogProduct,
): Catalog => mapProducts(catalog, (product) => (codes.includes(product.code) ? change(product) : product));

/** Creates an edit that sets a product's price by hand, and locks it against rules. */
export const setPrice =
  (code: string, price: number) =>
  (state: CatalogState): CatalogPlan => {
    const { catalog, margins } = state;
    for (const product of findProducts(catalog, [code])) {
      const cost = rowsBy(state.lists)(product)?.price;
      if (cost !== undefined && price < cost) throw editErrors.belowCost(code, price, cost);
    }
    const change = (product: CatalogProduct) => ({ ...product, selling_price: price, price_locked: true });
    return { catalog: changeProducts(catalog, [code], change), margins };
  };

/** Creates an edit that locks current prices, or unlocks them, so that they follow their rules immediately. */
export const setLocked =
  (codes: readonly string[], isLocked: boolean) =>
  (state: CatalogState): CatalogPlan => {
    const { catalog, margins } = state;
    findProducts(catalog, codes);
    const change = (product: CatalogProduct) =>
      isLocked ? { ...product, price_locked: true } : without(product);
    const changed = changeProducts(catalog, codes, change);
    return isLocked ? { catalog: changed, margins } : repriced(changed, margins, state);
  };

/** Entries to close: games by slug, products and payment methods by code. */
export interface Closable {
  games?: readonly string[];
  products?: readonly string[];
  methods?: readonly string[];
}

/** Creates an edit that closes games, products and payment methods, or opens them again. */
export const setOpen =
  ({ games = [], products = [], methods = [] }: Closable, status: boolean) =>
  ({ catalog, margins }: CatalogState): CatalogPlan => {
    findProducts(catalog, products);
    for (const slug of games) findGame(catalog, slug);
    const codes = new Set(catalog.payment_methods.map(({ code }) => code));
    const unknown = methods.filter((code) => !codes.has(code));
    if (unknown.length > 0) throw editErrors.noMethod(unknown, [...codes]);
    const changed = changeProducts(catalog, products, (product) => ({ ...product, status }));
    const switched = changed.games.map((game) => (games.includes(game.slug) ? { ...game, status } : game));
    const payment_methods = catalog.payment_methods.map((method) =>
      methods.includes(method.code) ? { ...method, status } : method,
    );
    return { catalog: { ...changed, games: switched, payment_methods }, margins };
  };

function rejectUnknownScope(catalog: Catalog, { scope, key }: Pick<Margin, 'scope' | 'key'>): void {
  if (scope === 'product') findProducts(catalog, [key]);
  if (scope === 'game') findGame(catalog, key);
  const { categories } = catalog;
  if (scope === 'category' && !categories.some(({ id }) => String(id) === key)) {
    const has = categories.map(({ id, title }) => `${id} (${title})`).join(', ');
    throw editErrors.noCategory(key, has);
  }
}

/** Creates an edit that sets the margin rule of a scope; null removes it. Affected prices change immediately. */
export const setMargin =
  (at: Pick<Margin, 'scope' | 'key'>, rule: MarginRule | null) =>
  (state: CatalogState): CatalogPlan => {
    const { catalog } = state;
    const others = state.margins.filter((margin) => scopeText(margin) !== scopeText(at));
    if (rule) rejectUnknownScope(catalog, at);
    else if (others.length === state.margins.length) throw editErrors.noRule(scopeText(at));
    return repriced(catalog, rule ? [...others, { ...at, rule }] : others, state);
  };

const marginOf = (key: string): Pick<Margin, 'scope' | 'key'> => {
  const [scope = '', ...rest] = key.split(' ');
  // Safe: the history has texts that scopeText created from margins.
  return { scope: scope as Margin['scope'], key: rest.join(' ') };
};

/** Fields that may be missing in a catalogue. */
const optionalFields = new Set(['price_locked', 'promo_from', 'promo_until', 'suppliers']);

/** Restores a value; null if it has changed since the edit. */
function undoValue(plan: CatalogPlan, { kind, key, field, from, to }: EditedValue): CatalogPlan | null {
  const isSame = (current: unknown): boolean => canonicalJson(current ?? null) === canonicalJson(to);
  if (kind === 'margin') {
    const current = plan.margins.find((margin) => scopeText(margin) === key);
    if (!isSame(current?.rule)) return null;
    const others = plan.margins.filter((margin) => margin !== current);
    // Safe: the value was the rule of a margin.
    const margins = from === null ? others : [...others, { ...marginOf(key), rule: from as MarginRule }];
    return { ...plan, margins };
  }
  let isFound = false;
  // Safe: the field had this value before, and an invalid catalogue is rejected.
  const put = <Entry extends object>(entry: Entry): Entry => {
    if (!isSame(Object.entries(entry).find(([name]) => name === field)?.[1])) return entry;
    isFound = true;
    if (from === null && optionalFields.has(field))
      return Object.fromEntries(Object.entries(entry).filter(([name]) => name !== field)) as Entry;
    return { ...entry, [field]: from };
  };
  const { catalog } = plan;
  const changed =
    kind === 'product'
      ? mapProducts(catalog, (product) => (product.code === key ? put(product) : product))
      : {
          ...catalog,
          games: catalog.games.map((game) => (kind === 'game' && game.slug === key ? put(game) : game)),
          payment_methods: catalog.payment_methods.map((method) =>
            kind === 'payment_method' && String(method.id) === key ? put(method) : method,
          ),
        };
  return isFound ? { ...plan, catalog: changed } : null;
}

/** Tells whether an edit of a value can be undone: of a field of a game, product or payment method, or of a rule. */
const isReversible = ({ kind, field }: EditedValue): boolean =>
  kind === 'margin' ||
  (['game', 'product', 'payment_method'].includes(kind) && !['', 'products', 'game_id'].includes(field));

/** Creates an edit that restores all values of an earlier edit, unless one has changed since then. */
export const undoEdit =
  ({ number, values }: StoredCatalogEdit) =>
  (state: CatalogState): CatalogPlan => {
    if (!values.every(isReversible)) throw editErrors.irreversible(number);
    let plan: CatalogPlan = { catalog: state.catalog, margins: state.margins };
    const changedSince = values.filter((value) => {
      const undone = undoValue(plan, value);
      plan = undone ?? plan;
      return undone === null;
    });
    if (changedSince.length > 0) throw editErrors.changedSince(number, changedSince);
    return plan;
  };
