import type {
  GameDetail,
  GameWithCategory,
  GetCheckoutResponse,
  PaymentMethod,
  Product,
  TargetField,
} from '@topup-kit/sdk';
import { defineCommand, defineGroup } from '../define-command.ts';
import { suggestSlugs } from '../errors/suggest-slugs.ts';
import { readSlug } from '../input/arguments.ts';
import { money } from '../output/format.ts';
import type { OutputStyle } from '../output/style.ts';
import { type Column, table } from '../output/table.ts';
import { printable, shellWord, wrap } from '../output/text.ts';
import { connect, type Service } from '../service/client.ts';

/** In rupiah, before a promo code. */
export const priceOf = ({ is_promo, promo_price, selling_price }: Product): number =>
  is_promo && promo_price !== null ? promo_price : selling_price;

function feeOf({ fee, fee_percent }: PaymentMethod): string {
  const parts = [...(fee > 0 ? [money(fee)] : []), ...(fee_percent > 0 ? [`${fee_percent} %`] : [])];
  return parts.join(' + ') || 'none';
}

export const termsOf = (method: PaymentMethod): [fee: string, limits: string] => [
  method.fee === 0 && method.fee_percent === 0 ? 'no fee' : `fee ${feeOf(method)}`,
  `${money(method.minimum_amount)} to ${money(method.maximum_amount)}`,
];

export const productColumns: Column[] = [
  { title: 'PRODUCTS', long: true },
  { title: 'ID', align: 'right' },
  { long: true },
  { title: 'PRICE', align: 'right' },
  { title: 'PROMOTION' },
  {},
];

export const fieldColumns: Column[] = [{ title: 'NEEDED' }, {}, { long: true }];

const methodColumns: Column[] = [
  { title: 'ID', align: 'right' },
  { title: 'PAYMENT METHODS', long: true },
  { title: 'FEE', align: 'right' },
  { title: 'FROM', align: 'right', spare: true },
  { title: 'UP TO', align: 'right', spare: true },
  {},
];

/** Products by category, in the order of the catalogue; only the first row of a category shows its name. */
export function productRows(products: Product[]): string[][] {
  const categories = Map.groupBy(products, ({ category }) => category?.title ?? 'Other');
  return [...categories].flatMap(([title, members]) =>
    members.map((product, index) => [index === 0 ? title : '', ...productCells(product)]),
  );
}

function productCells({ id, title, selling_price, promo_price, is_promo, status }: Product): string[] {
  const promoPrice = is_promo ? promo_price : null;
  return [
    String(id),
    title,
    money(promoPrice ?? selling_price),
    promoPrice === null ? '' : `was ${money(selling_price)}`,
    status ? '' : 'closed',
  ];
}

export const fieldCells = ({ name, label, required, options = [] }: TargetField): string[] => [
  `--${name}`,
  required ? label : `${label} (optional)`,
  options.length === 0 ? '' : `one of ${options.join(', ')}`,
];

export const methodCells = (method: PaymentMethod): string[] => [
  String(method.id),
  method.name,
  feeOf(method),
  money(method.minimum_amount),
  money(method.maximum_amount),
  method.status ? '' : 'closed',
];

export function heading({ title, slug, developers, category, status }: GameDetail): string {
  const facts = [slug, category.title, developers, ...(status ? [] : ['closed'])];
  return `${printable(title)}\n${printable(facts.join(' · '))}\n`;
}

function gameScreen({ game, paymentMethods }: GetCheckoutResponse, style: OutputStyle): string {
  return [
    heading(game),
    wrap(game.description, style.columns),
    table(productColumns, productRows(game.products), style),
    table(fieldColumns, game.fields.map(fieldCells), style),
    table(methodColumns, paymentMethods.map(methodCells), style),
  ].join('\n');
}

/** The checkout of a game; if there is no such game, the error suggests similar slugs. */
export const readCheckout = (service: Service, slug: string): Promise<GetCheckoutResponse> =>
  suggestSlugs(service, slug, () =>
    service.ask((client, options) => client.checkout.get(slug, options), { game: slug }),
  );

const gameColumns: Column[] = [
  { title: 'SLUG' },
  { title: 'GAME', long: true },
  { title: 'CATEGORY', long: true },
  { title: 'DEVELOPER', long: true },
  { title: 'NOTE' },
];

function noteOn({ status, populer }: GameWithCategory): string {
  if (!status) return 'closed';
  return populer ? 'popular' : '';
}

const gameCells = (game: GameWithCategory): string[] => [
  game.slug,
  game.title,
  game.category.title,
  game.developers,
  noteOn(game),
];

const listGames = defineCommand({
  name: 'list',
  description: 'List the games with their slugs',
  example: 'games list --json',
  async run(context) {
    const service = await connect(context);
    const response = await service.ask((client, options) => client.games.list(options));
    const { games } = response;
    await context.print({
      document: response,
      ids: games.map(({ slug }) => slug),
      screen: (style) => table(gameColumns, games.map(gameCells), style),
    });
    const example = games.find(({ status }) => status)?.slug ?? '<slug>';
    const next = service.commandLine(`games show ${shellWord(example)}`);
    context.remark(`\n${games.length} games. Products and prices of one:\n  ${next}`);
  },
});

/** The flags of the account to top up, with placeholders. */
const targetFlags = ({ fields }: GameDetail): string =>
  fields
    .filter(({ required }) => required)
    .map(({ name, label }) => `--${name} ${shellWord(`<${label}>`)}`)
    .join(' ');

function orderExample({ game, paymentMethods }: GetCheckoutResponse, service: Service): string | undefined {
  const product = game.products.find(({ status }) => status);
  const method = paymentMethods.find(({ status }) => status);
  if (!game.status || !product || !method) return undefined;
  const slug = shellWord(game.slug);
  return service.commandLine(
    `orders create --game ${slug} \\\n` +
      `    --product ${product.id} --payment-method ${method.id} \\\n` +
      `    ${targetFlags(game)} --whatsapp '<phone>'`,
  );
}

const showGame = defineCommand({
  name: 'show',
  description: 'Show a game with its products, account fields and payment methods',
  build: (command) => command.argument('<slug>', 'slug of the game, such as mobile-legends', readSlug),
  example: 'games show mobile-legends',
  async run(context, _options, slug) {
    const service = await connect(context);
    const checkout = await readCheckout(service, slug);
    await context.print({
      document: checkout,
      ids: [checkout.game.slug],
      screen: (style) => gameScreen(checkout, style),
    });
    const example = orderExample(checkout, service);
    if (example !== undefined) context.remark(`\nTo order:\n  ${example}`);
  },
});

export const games = defineGroup(
  'These commands contact the service, with a key that may read its catalogue.',
  [listGames, showGame],
);
