import { canonicalJson } from '../../platform/index.ts';
import { type Catalog, emptyCatalog } from '../../store/index.ts';

type CatalogKind = 'catalog' | 'category' | 'game' | 'product' | 'payment_method' | 'promo';

/** A field with different values, such as `selling_price` or `discount.basis_points`. */
export interface FieldChange {
  field: string;
  from: unknown;
  to: unknown;
}

/** The change of one entry of a catalogue. */
export interface CatalogChange {
  change: 'added' | 'removed' | 'changed';
  kind: CatalogKind;
  /** The entry's id, or a promo's code; null for the catalogue itself, of which only the order of lists can change. */
  key: number | string | null;
  title: string;
  /** The changed fields; empty for an entry that was added or removed. */
  fields: FieldChange[];
}

type Key = number | string;

type Named = Pick<CatalogChange, 'key' | 'title'>;

interface Entry extends Named {
  key: Key;
  /** The fields to compare. Products are separate entries, so the fields of a game don't include them. */
  fields: object;
}

const isPlainObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Flattens an object to fields by their paths, so that objects are compared field by field. Lists are compared as a whole. */
function flatten(value: object, prefix = ''): Map<string, unknown> {
  return new Map(
    Object.entries(value).flatMap(([name, part]: [string, unknown]): [string, unknown][] =>
      isPlainObject(part) ? [...flatten(part, `${prefix}${name}.`)] : [[prefix + name, part]],
    ),
  );
}

/** Returns the differences between two tables. A catalogue of an earlier version lacks newer fields, whose default is null. */
export const differences = (
  before: ReadonlyMap<string, unknown>,
  after: ReadonlyMap<string, unknown>,
): FieldChange[] =>
  [...new Set([...before.keys(), ...after.keys()])]
    .map((field) => ({ field, from: before.get(field) ?? null, to: after.get(field) ?? null }))
    .filter(({ from, to }) => canonicalJson(from) !== canonicalJson(to));

/** Returns the change in the order of keys that are in both lists, if it differs. */
function reordered(field: string, from: readonly Key[], to: readonly Key[]): FieldChange[] {
  const before = from.filter((key) => to.includes(key));
  const after = to.filter((key) => from.includes(key));
  return canonicalJson(before) === canonicalJson(after) ? [] : [{ field, from: before, to: after }];
}

/** Returns the change of an entry as a list; empty if no field changed. */
const changed = (kind: CatalogKind, { key, title }: Named, fields: FieldChange[]): CatalogChange[] =>
  fields.length === 0 ? [] : [{ change: 'changed', kind, key, title, fields }];

function compare(
  kind: CatalogKind,
  from: readonly Entry[],
  to: readonly Entry[],
  fieldsOf = flatten,
): CatalogChange[] {
  const before = new Map(from.map((entry) => [entry.key, entry]));
  const after = new Map(to.map((entry) => [entry.key, entry]));
  const removed = from.filter(({ key }) => !after.has(key));
  return [
    ...removed.map(({ key, title }) => ({ change: 'removed' as const, kind, key, title, fields: [] })),
    ...to.flatMap((entry): CatalogChange[] => {
      const { key, title, fields } = entry;
      const old = before.get(key);
      if (!old) return [{ change: 'added', kind, key, title, fields: [] }];
      return changed(kind, entry, differences(fieldsOf(old.fields), fieldsOf(fields)));
    }),
  ];
}

const asEntry = <Item extends { id: number }>(item: Item, title: string): Entry => ({
  key: item.id,
  title,
  fields: item,
});

const lists = ({ categories, games, payment_methods, promos }: Catalog) => ({
  categories: categories.map((category) => asEntry(category, category.title)),
  games: games.map(({ products: _products, ...game }) => asEntry(game, game.title)),
  products: games.flatMap(({ id, products }) =>
    products.map((product) => asEntry({ ...product, game_id: id }, product.title)),
  ),
  payment_methods: payment_methods.map((method) => asEntry(method, method.name)),
  // Promo codes are case-insensitive.
  promos: promos.map((promo) => ({ key: promo.code.toUpperCase(), title: promo.code, fields: promo })),
});

const productIds = ({ games }: Catalog): Map<number, number[]> =>
  new Map(games.map(({ id, products }) => [id, products.map((product) => product.id)]));

/** Returns changes in the order of products, because a shop shows products in this order. */
function reorderedProducts(from: Catalog, to: Catalog): CatalogChange[] {
  const before = productIds(from);
  return to.games.flatMap(({ id, title, products }) => {
    const ids = products.map((product) => product.id);
    return changed('game', { key: id, title }, reordered('products', before.get(id) ?? [], ids));
  });
}

/** Merges the changes of the same entry: its fields and the order of its products. */
function mergeByEntry(changes: readonly CatalogChange[]): CatalogChange[] {
  const entries = new Map<string, CatalogChange>();
  for (const change of changes) {
    const name = `${change.kind} ${change.key}`;
    const fields = [...(entries.get(name)?.fields ?? []), ...change.fields];
    entries.set(name, { ...(entries.get(name) ?? change), fields });
  }
  return [...entries.values()];
}

/**
 * Lists the changes from one catalogue (null for no catalogue) to another; empty only if both are identical.
 *
 * @param fieldsOf the fields of a game or a product to compare; all nested fields by default
 * @example
 * diffCatalogs(await store.readCatalog(), catalog).filter(({ change }) => change === 'removed');
 */
export function diffCatalogs(
  from: Catalog | null,
  to: Catalog,
  fieldsOf?: (entry: object) => Map<string, unknown>,
): CatalogChange[] {
  const old = from ?? emptyCatalog;
  const before = lists(old);
  const after = lists(to);
  const keys = (entries: readonly Entry[]): Key[] => entries.map(({ key }) => key);
  const order = (['categories', 'games', 'payment_methods', 'promos'] as const).flatMap((list) =>
    reordered(list, keys(before[list]), keys(after[list])),
  );
  return mergeByEntry([
    ...compare('category', before.categories, after.categories),
    ...compare('game', before.games, after.games, fieldsOf),
    ...reorderedProducts(old, to),
    ...compare('product', before.products, after.products, fieldsOf),
    ...compare('payment_method', before.payment_methods, after.payment_methods),
    ...compare('promo', before.promos, after.promos),
    ...changed('catalog', { key: null, title: '' }, order),
  ]);
}
