import type { Catalog } from '../../store/index.ts';
import type { CatalogProblem } from './catalog-problem.ts';

interface Place<Key> {
  path: string;
  key: Key;
}

function* repeated<Key>(places: Iterable<Place<Key>>): Generator<CatalogProblem> {
  const first = new Map<Key, string>();
  for (const { path, key } of places) {
    const earlier = first.get(key);
    if (earlier === undefined) first.set(key, path);
    else yield { path, rule: `must be unique, but ${JSON.stringify(key)} is also at ${earlier}` };
  }
}

function* unknown<Key>(
  places: Iterable<Place<Key>>,
  known: Set<Key>,
  kind: string,
): Generator<CatalogProblem> {
  for (const { path, key } of places)
    if (!known.has(key))
      yield { path, rule: `must name a ${kind} of this file, but there is no ${JSON.stringify(key)}` };
}

const places = <Item, Key>(
  items: readonly Item[],
  list: string,
  field: string,
  key: (item: Item) => Key,
): Place<Key>[] => items.map((item, index) => ({ path: `${list}[${index}]${field}`, key: key(item) }));

function* productChecks({ games }: Catalog): Generator<CatalogProblem> {
  const products = games.flatMap((game, index) =>
    game.products.map((product, at) => ({ product, path: `games[${index}].products[${at}]` })),
  );
  yield* repeated(products.map(({ product, path }) => ({ path: `${path}.id`, key: product.id })));
  yield* repeated(products.map(({ product, path }) => ({ path: `${path}.code`, key: product.code })));
  for (const { product, path } of products)
    if (product.is_promo && product.promo_price === null)
      yield { path: `${path}.promo_price`, rule: 'must be set when is_promo is true' };
}

function* fieldChecks({ games }: Catalog): Generator<CatalogProblem> {
  for (const [index, game] of games.entries()) {
    const list = `games[${index}].fields`;
    yield* repeated(places(game.fields, list, '.name', (field) => field.name));
    const id = game.fields.find((field) => field.name === 'id');
    if (!id?.required) yield { path: list, rule: 'must hold the required field "id": every order needs one' };
  }
}

function* promoChecks(catalog: Catalog): Generator<CatalogProblem> {
  const { promos, games, payment_methods } = catalog;
  const slugs = new Set(games.map((game) => game.slug));
  const productIds = new Set(games.flatMap((game) => game.products.map((product) => product.id)));
  const methodIds = new Set(payment_methods.map((method) => method.id));
  yield* repeated(places(promos, 'promos', '.code', (promo) => promo.code.toUpperCase()));
  for (const [index, promo] of promos.entries()) {
    const path = `promos[${index}]`;
    yield* unknown(
      places(promo.games, `${path}.games`, '', (slug) => slug),
      slugs,
      'game',
    );
    yield* unknown(
      places(promo.products, `${path}.products`, '', (id) => id),
      productIds,
      'product',
    );
    yield* unknown(
      places(promo.payment_methods, `${path}.payment_methods`, '', (id) => id),
      methodIds,
      'payment method',
    );
    if (
      promo.starts_at !== null &&
      promo.ends_at !== null &&
      Date.parse(promo.ends_at) <= Date.parse(promo.starts_at)
    )
      yield { path: `${path}.ends_at`, rule: 'must be later than starts_at' };
  }
}

/** The rules of a catalogue that span several of its entries. */
export function crossChecks(catalog: Catalog): CatalogProblem[] {
  const { categories, games, payment_methods } = catalog;
  const categoryIds = new Set(categories.map((category) => category.id));
  return [
    ...repeated(places(categories, 'categories', '.id', (category) => category.id)),
    ...repeated(places(games, 'games', '.id', (game) => game.id)),
    ...repeated(places(games, 'games', '.slug', (game) => game.slug)),
    ...unknown(
      places(games, 'games', '.category_id', (game) => game.category_id),
      categoryIds,
      'category',
    ),
    ...fieldChecks(catalog),
    ...productChecks(catalog),
    ...repeated(places(payment_methods, 'payment_methods', '.id', (method) => method.id)),
    ...repeated(places(payment_methods, 'payment_methods', '.code', (method) => method.code)),
    ...places(payment_methods, 'payment_methods', '.maximum_amount', (method) => method)
      .filter(({ key }) => key.maximum_amount < key.minimum_amount)
      .map(({ path }) => ({ path, rule: 'must not be below minimum_amount' })),
    ...promoChecks(catalog),
  ];
}
