import { en } from 'zod/locales';
import * as z from 'zod/mini';
import { highestAmount, paymentGroups, unreadableCharacter } from '../../contract/index.ts';
import type {
  Catalog,
  CatalogGame,
  CatalogPaymentMethod,
  CatalogProduct,
  Discount,
  Promo,
} from '../../store/index.ts';

const id = z.int().check(z.positive());
const amount = z.int().check(z.nonnegative(), z.lte(highestAmount));
const basisPoints = z.int().check(z.nonnegative(), z.lte(10_000));
/** The maximum length of a string in an order. Gateways accept only shorter strings, and their adapters shorten them. */
const notTooLong = z.maxLength(255, 'must have at most 255 characters');
/** Creates a string schema that rejects control characters and lone surrogates, because clients and suppliers get these texts. */
const readable = (allowed?: RegExp) =>
  z.check<string>(({ value, issues }) => {
    const found = unreadableCharacter(allowed ? value.replace(allowed, ' ') : value);
    if (!found) return;
    const message = `must not contain ${found.character} (character ${found.position})`;
    issues.push({ code: 'custom', message, input: value });
  });
const text = z.string().check(z.trim(), z.minLength(1, 'must not be empty'), notTooLong, readable());

/**
 * The format of a field's value: characters, `\d` and classes such as `[A-Z0-9]`, each with `?` or a number such as `{6,10}`. No other
 * syntax is allowed, so that no pattern is slow.
 */
const pattern = z
  .string()
  .check(
    notTooLong,
    z.regex(
      /^((\\d|\[[\w #.-]+\]|[A-Za-z0-9_#])(\{\d{1,2}(,\d{1,2})?\}|\?)?){1,8}$/,
      'must be made of characters, \\d and classes such as [A-Z0-9], each with ? or a number such as {6,10}',
    ),
    z.refine(isPattern, 'must be a valid regular expression'),
  );

function isPattern(text: string): boolean {
  try {
    return new RegExp(text, 'u') !== undefined;
  } catch {
    return false;
  }
}
const slug = z
  .string()
  .check(notTooLong, z.regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'must be lower-case words joined by hyphens'));
const code = z
  .string()
  .check(notTooLong, z.regex(/^[A-Za-z0-9][A-Za-z0-9_-]*$/, 'must be letters, digits, _ and -'));
const imageUrl = z._default(z.nullable(z.url({ protocol: /^https?$/ })), null);
const moment = z._default(z.nullable(z.iso.datetime({ offset: true })), null);
/** Start or end of a sale. It has no default, so that a catalogue without sales is stored unchanged. */
const saleMoment = z.exactOptional(z.nullable(z.iso.datetime({ offset: true })));
const on = z._default(z.boolean(), true);
const off = z._default(z.boolean(), false);
const limit = z._default(z.nullable(z.int().check(z.nonnegative())), null);

const category = z.strictObject({ id, title: text });

const targetField = z.strictObject({
  name: z.enum(['id', 'server']),
  label: text,
  required: on,
  options: z.exactOptional(z.array(text).check(z.minLength(1))),
  pattern: z.exactOptional(pattern),
});

const supplierCode = z
  .string()
  .check(
    notTooLong,
    z.regex(/^\S+( \S+)*$/, 'must be the code as the supplier writes it, without spaces around it'),
  );

const supplierName = z
  .string()
  .check(
    notTooLong,
    z.regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'must be the name of a supplier, as in TOPUP_SUPPLIER'),
  );

/** The format in which a supplier names an account: a string with the placeholder `{id}`, and `{server}` if the game has servers. */
const targetTemplate = z
  .string()
  .check(
    notTooLong,
    z.regex(
      /^([^{}]|\{(id|server)\})*\{id\}([^{}]|\{(id|server)\})*$/,
      'must contain {id}, and no placeholder but {id} and {server}',
    ),
  );

const product = z.strictObject({
  id,
  code,
  supplier_code: z._default(z.nullable(supplierCode), null),
  suppliers: z.exactOptional(
    z.nullable(z.array(z.strictObject({ supplier: supplierName, code: supplierCode })).check(z.minLength(1))),
  ),
  title: text,
  category: z._default(z.nullable(category), null),
  selling_price: amount,
  price_locked: z.exactOptional(z.boolean()),
  promo_price: z._default(z.nullable(amount), null),
  is_promo: off,
  promo_from: saleMoment,
  promo_until: saleMoment,
  status: on,
  image: imageUrl,
});

const game = z.strictObject({
  id,
  slug,
  title: text,
  developers: text,
  brand: text,
  category_id: id,
  description: z._default(z.string().check(readable(/[\n\r\t]/g)), ''),
  image: imageUrl,
  banner: imageUrl,
  status: on,
  hidden: off,
  populer: off,
  sort: z._default(z.int(), 0),
  fields: z._default(z.array(targetField), [{ name: 'id', label: 'User ID', required: true }]),
  target: z._default(z.nullable(targetTemplate), null),
  products: z._default(z.array(product), []),
});

const paymentMethod = z.strictObject({
  id,
  code,
  name: text,
  group: z.enum(paymentGroups),
  fee: z._default(amount, 0),
  fee_basis_points: z._default(basisPoints, 0),
  minimum_fee: z._default(amount, 0),
  minimum_amount: amount,
  maximum_amount: amount,
  status: on,
  image: imageUrl,
});

const discount = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('PERCENT'),
    basis_points: basisPoints.check(z.positive()),
    max_discount: z._default(z.nullable(amount), null),
  }),
  z.strictObject({
    type: z.literal('FIXED'),
    value: amount.check(z.positive()),
    max_discount: z._default(z.nullable(amount), null),
  }),
]);

const promo = z.strictObject({
  code,
  discount,
  status: on,
  starts_at: moment,
  ends_at: moment,
  quota: limit,
  per_customer: limit,
  minimum_purchase: z._default(amount, 0),
  games: z._default(z.array(slug), []),
  products: z._default(z.array(id), []),
  payment_methods: z._default(z.array(id), []),
});

/** Makes fields with a default optional. */
type WithDefaults<Type, Names extends keyof Type> = Omit<Type, Names> & {
  [Name in Names]?: Type[Name] | undefined;
};

type ProductEntry = WithDefaults<
  CatalogProduct,
  'supplier_code' | 'category' | 'promo_price' | 'is_promo' | 'status' | 'image'
>;

type GameEntry = WithDefaults<
  Omit<CatalogGame, 'fields' | 'products'>,
  'description' | 'image' | 'banner' | 'status' | 'hidden' | 'populer' | 'sort' | 'target'
> & {
  fields?: WithDefaults<CatalogGame['fields'][number], 'required'>[] | undefined;
  products?: ProductEntry[] | undefined;
};

type PaymentMethodEntry = WithDefaults<
  CatalogPaymentMethod,
  'fee' | 'fee_basis_points' | 'minimum_fee' | 'status' | 'image'
>;

type DiscountEntry<Kind extends Discount = Discount> = Kind extends Discount
  ? WithDefaults<Kind, 'max_discount'>
  : never;

type PromoEntry = WithDefaults<Omit<Promo, 'discount'>, Exclude<keyof Promo, 'code' | 'discount'>> & {
  discount: DiscountEntry;
};

/** A catalogue file without defaults; `format` is its version. */
export interface CatalogFile {
  $schema?: string;
  format: 'topup-kit/catalog@1';
  categories: Catalog['categories'];
  games: GameEntry[];
  payment_methods: PaymentMethodEntry[];
  promos?: PromoEntry[] | undefined;
}

/** Checks a schema at compile time: it must accept exactly the values of a type. */
const accepting =
  <Type>() =>
  <Schema extends z.ZodMiniType>(
    schema: Schema &
      ([z.input<Schema>, Type] extends [Type, z.input<Schema>] ? unknown : 'differs from the interface'),
  ): Schema =>
    schema;

export const catalogFileSchema = accepting<CatalogFile>()(
  z.strictObject({
    $schema: z.exactOptional(z.string()),
    format: z.literal('topup-kit/catalog@1'),
    categories: z.array(category),
    games: z.array(game),
    payment_methods: z.array(paymentMethod),
    promos: z._default(z.array(promo), []),
  }),
);

/** A rule that a catalogue file breaks, and the path of the invalid value, such as `games[3].slug`. */
export interface CatalogProblem {
  path: string;
  rule: string;
}

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

/** Returns the values of a list, or of a field in its entries, with their paths. */
const places = <Item, Key>(
  items: readonly Item[],
  list: string,
  field: string,
  key: (item: Item) => Key,
): Place<Key>[] => items.map((item, index) => ({ path: `${list}[${index}]${field}`, key: key(item) }));
const listed = <Key>(keys: readonly Key[], list: string): Place<Key>[] =>
  places(keys, list, '', (key) => key);

function* saleChecks(product: CatalogProduct, path: string): Generator<CatalogProblem> {
  const { is_promo, promo_price, promo_from = null, promo_until = null } = product;
  if (promo_price === null && is_promo)
    yield { path: `${path}.promo_price`, rule: 'must be set when is_promo is true' };
  else if (promo_price === null && (promo_from !== null || promo_until !== null))
    yield { path: `${path}.promo_price`, rule: 'must be set when promo_from or promo_until is' };
  if (promo_from !== null && promo_until !== null && Date.parse(promo_until) <= Date.parse(promo_from))
    yield { path: `${path}.promo_until`, rule: 'must be later than promo_from' };
}

function* productChecks({ games }: Catalog): Generator<CatalogProblem> {
  const products = games.flatMap((game, index) =>
    game.products.map((product, at) => ({ product, path: `games[${index}].products[${at}]` })),
  );
  yield* repeated(products.map(({ product, path }) => ({ path: `${path}.id`, key: product.id })));
  yield* repeated(products.map(({ product, path }) => ({ path: `${path}.code`, key: product.code })));
  for (const { product, path } of products) {
    yield* saleChecks(product, path);
    yield* repeated(
      places(product.suppliers ?? [], `${path}.suppliers`, '.supplier', (offer) => offer.supplier),
    );
  }
}

function* fieldChecks({ games }: Catalog): Generator<CatalogProblem> {
  for (const [index, game] of games.entries()) {
    const list = `games[${index}].fields`;
    yield* repeated(places(game.fields, list, '.name', (field) => field.name));
    const id = game.fields.find((field) => field.name === 'id');
    if (!id?.required) yield { path: list, rule: 'must have the required field "id": every order needs one' };
    if (game.target?.includes('{server}') && !game.fields.some((field) => field.name === 'server'))
      yield { path: `games[${index}].target`, rule: 'must not contain {server}: the game has no such field' };
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
    yield* unknown(listed(promo.games, `${path}.games`), slugs, 'game');
    yield* unknown(listed(promo.products, `${path}.products`), productIds, 'product');
    yield* unknown(listed(promo.payment_methods, `${path}.payment_methods`), methodIds, 'payment method');
    const { starts_at: from, ends_at: until } = promo;
    if (from !== null && until !== null && Date.parse(until) <= Date.parse(from))
      yield { path: `${path}.ends_at`, rule: 'must be later than starts_at' };
  }
}

/** Checks the rules that involve several entries of a catalogue. */
function crossChecks(catalog: Catalog): CatalogProblem[] {
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

/** Converts `['games', 3, 'slug']` to `games[3].slug`. */
const readablePath = (path: readonly PropertyKey[]): string =>
  path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`;
    return text === '' ? String(part) : `${text}.${String(part)}`;
  }, '');

const englishMessages = en().localeError;

/** Returns the first rule that a game breaks with only this product, such as `title must not be empty`; null if it breaks none. */
export function brokenRule(entry: CatalogGame, added: CatalogProduct): string | null {
  const parsed = game.safeParse({ ...entry, products: [added] }, { error: englishMessages });
  const [issue] = parsed.error?.issues ?? [];
  return issue ? `${String(issue.path.at(-1))} ${issue.message}` : null;
}

/**
 * Checks a catalogue file parsed from JSON. Returns the catalogue with its defaults, or every rule that the file breaks.
 *
 * @example
 * const read = readCatalogFile(JSON.parse(text));
 * if ('problems' in read) for (const { path, rule } of read.problems) report(`${path}: ${rule}`);
 */
export function readCatalogFile(json: unknown): { catalog: Catalog } | { problems: CatalogProblem[] } {
  const parsed = catalogFileSchema.safeParse(json, { error: englishMessages });
  if (!parsed.success)
    return {
      problems: parsed.error.issues.map(({ path, message }) => ({ path: readablePath(path), rule: message })),
    };
  const { categories, games, payment_methods, promos } = parsed.data;
  const catalog: Catalog = { categories, games, payment_methods, promos };
  const problems = crossChecks(catalog);
  return problems.length > 0 ? { problems } : { catalog };
}
