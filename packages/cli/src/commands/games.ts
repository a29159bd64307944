import type {
  CheckoutAnswer,
  GameDetail,
  GameWithCategory,
  PaymentMethod,
  Product,
  TargetField,
} from '@topup-kit/sdk';
import type { Command } from 'commander';
import { addExample, shellWord } from '../command-line.ts';
import { suggestSlugs } from '../errors/suggest-slugs.ts';
import type { Io } from '../io.ts';
import type { Look } from '../output/look.ts';
import { money } from '../output/money.ts';
import { print, remark } from '../output/print.ts';
import { printable } from '../output/printable.ts';
import { type Column, table } from '../output/table.ts';
import { wrap } from '../output/wrap.ts';
import { connect, type Service } from '../service/client.ts';
import type { Define } from './define.ts';
import { readSlug } from './path-argument.ts';

/** What one costs now, in rupiah, before a promo code. */
export const priceOf = ({ is_promo, promo_price, selling_price }: Product): number =>
  is_promo && promo_price !== null ? promo_price : selling_price;

function feeOf({ fee, fee_percent }: PaymentMethod): string {
  const parts = [...(fee > 0 ? [money(fee)] : []), ...(fee_percent > 0 ? [`${fee_percent} %`] : [])];
  return parts.join(' + ') || 'none';
}

/** The fee and the limits of a payment method, as text. */
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
  { title: 'WAYS TO PAY', long: true },
  { title: 'FEE', align: 'right' },
  { title: 'FROM', align: 'right', spare: true },
  { title: 'UP TO', align: 'right', spare: true },
  {},
];

/** Products by category, in the order of the catalogue; only the first row of each names it. */
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

function gameScreen({ game, paymentMethods }: CheckoutAnswer, look: Look): string {
  return [
    heading(game),
    wrap(game.description, look.columns),
    table(productColumns, productRows(game.products), look),
    table(fieldColumns, game.fields.map(fieldCells), look),
    table(methodColumns, paymentMethods.map(methodCells), look),
  ].join('\n');
}

/** The checkout of a game; where there is no such game, the error suggests similar slugs. */
export const readCheckout = (service: Service, slug: string): Promise<CheckoutAnswer> =>
  suggestSlugs(service, slug, () =>
    service.ask((client, options) => client.checkout.get(slug, options), { game: slug }),
  );

const columns: Column[] = [
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

const asRow = (game: GameWithCategory): string[] => [
  game.slug,
  game.title,
  game.category.title,
  game.developers,
  noteOn(game),
];

async function listGames(io: Io, command: Command): Promise<void> {
  const service = await connect(io, command);
  const answer = await service.ask((client, options) => client.games.list(options));
  const { games } = answer;
  await print(io, command, {
    document: answer,
    ids: games.map(({ slug }) => slug),
    screen: (look) => table(columns, games.map(asRow), look),
  });
  const example = games.find(({ status }) => status)?.slug ?? '<slug>';
  const next = service.commandLine(`games show ${shellWord(example)}`);
  remark(io, command, `\n${games.length} games. Products and prices of one:\n  ${next}`);
}

const defineList: Define = (games, io) => {
  const list = games
    .command('list')
    .description('List the games, with the slugs that orders name them by')
    .action((_options: object, command: Command) => listGames(io, command));
  addExample(list, io, 'games list --json');
};

/** The flags of the account to top up, with placeholders. */
const targetFlags = ({ fields }: GameDetail): string =>
  fields
    .filter(({ required }) => required)
    .map(({ name, label }) => `--${name} ${shellWord(`<${label}>`)}`)
    .join(' ');

function orderExample({ game, paymentMethods }: CheckoutAnswer, service: Service): string | undefined {
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

async function showGame(slug: string, io: Io, command: Command): Promise<void> {
  const service = await connect(io, command);
  const answer = await readCheckout(service, slug);
  await print(io, command, {
    document: answer,
    ids: [answer.game.slug],
    screen: (look) => gameScreen(answer, look),
  });
  const example = orderExample(answer, service);
  if (example !== undefined) remark(io, command, `\nTo order:\n  ${example}`);
}

const defineShow: Define = (games, io) => {
  const show = games
    .command('show')
    .description('Show a game with its products, what an order needs and the ways to pay')
    .argument('<slug>', 'slug of the game, such as mobile-legends', readSlug)
    .action((slug: string, _options: object, command: Command) => showGame(slug, io, command));
  addExample(show, io, 'games show mobile-legends');
};

export const defineGames: Define = (games, io) => {
  games.addHelpText('after', '\nThese ask the service, with a key that may read its catalogue.');
  defineList(games, io);
  defineShow(games, io);
};
