import { en } from 'zod/locales';
import * as z from 'zod/mini';
import { paymentGroups, type TargetField } from '../../contract/index.ts';
import type {
  Catalog,
  CatalogGame,
  CatalogPaymentMethod,
  CatalogProduct,
  Discount,
  Promo,
} from '../../store/index.ts';
import type { CatalogProblem } from './catalog-problem.ts';
import { crossChecks } from './catalog-rules.ts';

const id = z.int().check(z.positive());
/** Keeps every product of an amount, a quantity and basis points a safe integer. */
const highestAmount = 1_000_000_000;
const amount = z.int().check(z.nonnegative(), z.lte(highestAmount));
const basisPoints = z.int().check(z.nonnegative(), z.lte(10_000));
const text = z.string().check(z.trim(), z.minLength(1), z.maxLength(255));
const slug = z
  .string()
  .check(z.regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'must be lower-case words joined by hyphens'));
const code = z.string().check(z.regex(/^[A-Za-z0-9][A-Za-z0-9_-]*$/, 'must be letters, digits, _ and -'));
const imageUrl = z._default(z.nullable(z.url({ protocol: /^https?$/ })), null);
const moment = z._default(z.nullable(z.iso.datetime({ offset: true })), null);
const on = z._default(z.boolean(), true);
const off = z._default(z.boolean(), false);
const limit = z._default(z.nullable(z.int().check(z.nonnegative())), null);

const category = z.strictObject({ id, title: text });

const targetField = z.strictObject({
  name: z.enum(['id', 'server']),
  label: text,
  required: on,
  options: z.exactOptional(z.array(text).check(z.minLength(1))),
});

const product = z.strictObject({
  id,
  code,
  title: text,
  category: z._default(z.nullable(category), null),
  selling_price: amount,
  promo_price: z._default(z.nullable(amount), null),
  is_promo: off,
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
  description: z._default(z.string(), ''),
  image: imageUrl,
  banner: imageUrl,
  status: on,
  hidden: off,
  populer: off,
  sort: z._default(z.int(), 0),
  fields: z._default(z.array(targetField), [{ name: 'id', label: 'User ID', required: true }]),
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

/** What a file may leave out, as the schema has a default for it. */
type WithDefaults<Type, Names extends keyof Type> = Omit<Type, Names> & {
  [Name in Names]?: Type[Name] | undefined;
};

type ProductEntry = WithDefaults<
  CatalogProduct,
  'category' | 'promo_price' | 'is_promo' | 'status' | 'image'
>;

type GameEntry = WithDefaults<
  Omit<CatalogGame, 'fields' | 'products'>,
  'description' | 'image' | 'banner' | 'status' | 'hidden' | 'populer' | 'sort'
> & {
  fields?: WithDefaults<TargetField, 'required'>[] | undefined;
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

/** A catalogue file before its defaults are filled in; `format` names its version. */
export interface CatalogFile {
  $schema?: string;
  format: 'topup-kit/catalog@1';
  categories: Catalog['categories'];
  games: GameEntry[];
  payment_methods: PaymentMethodEntry[];
  promos?: PromoEntry[] | undefined;
}

/** Compiles only when the schema takes what the interface allows, and nothing else. */
const taking =
  <Type>() =>
  <Schema extends z.ZodMiniType>(
    schema: Schema &
      ([z.input<Schema>, Type] extends [Type, z.input<Schema>] ? unknown : 'differs from the interface'),
  ): Schema =>
    schema;

export const catalogFileSchema = taking<CatalogFile>()(
  z.strictObject({
    $schema: z.exactOptional(z.string()),
    format: z.literal('topup-kit/catalog@1'),
    categories: z.array(category),
    games: z.array(game),
    payment_methods: z.array(paymentMethod),
    promos: z._default(z.array(promo), []),
  }),
);

/** `['games', 3, 'slug']` reads `games[3].slug`. */
const readablePath = (path: readonly PropertyKey[]): string =>
  path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`;
    return text === '' ? String(part) : `${text}.${String(part)}`;
  }, '');

const englishMessages = en().localeError;

/**
 * Reads a catalogue file that was parsed from JSON: the catalogue with its defaults filled in, or every rule it breaks.
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
