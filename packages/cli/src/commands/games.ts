import { hasUniqueCode, paymentGroups, unitPrice } from '@topup-kit/core/contract';
import type {
  GameDetail,
  GameWithCategory,
  GetCheckoutResponse,
  PaymentMethod,
  Product,
  TargetField,
} from '@topup-kit/sdk';
import type { CommandContext } from '../context.ts';
import { type Define, defineCommand, defineGroup } from '../define-command.ts';
import { type ExitCode, exitCodes, QuietExit } from '../errors/cli-error.ts';
import { slugArgument } from '../input/arguments.ts';
import { money } from '../output/format.ts';
import type { OutputStyle } from '../output/style.ts';
import { type Column, type ColumnOf, factList, table, tableOf } from '../output/table.ts';
import { printable, shellWord, wrap } from '../output/text.ts';
import { connect, type Service } from '../service/client.ts';
import { sandboxState } from '../service/sandbox-state.ts';
import { suggestSlugs } from '../service/suggest-slugs.ts';

/** Returns the additional charges of a method. A service may have groups that this kit doesn't know. */
function additionsOf({ fee, fee_percent, group }: PaymentMethod): { fee: string; uniqueCode: string } {
  const parts = [...(fee > 0 ? [money(fee)] : []), ...(fee_percent > 0 ? [`${fee_percent} %`] : [])];
  const hasCode = paymentGroups.some((known) => known === group && hasUniqueCode(known));
  return { fee: parts.join(' + '), uniqueCode: hasCode ? '+ unique code' : '' };
}

/** Formats `no fee`, `fee Rp 4,250` or `no fee + unique code`, and the limits. */
export function termsOf(method: PaymentMethod): [fee: string, limits: string] {
  const { fee, uniqueCode } = additionsOf(method);
  return [
    `${fee === '' ? 'no fee' : `fee ${fee}`} ${uniqueCode}`.trim(),
    `${money(method.minimum_amount)} to ${money(method.maximum_amount)}`,
  ];
}

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

/** Lists products by category, in the order of the catalogue. Only the first row of a category shows its name. */
export function productRows(products: Product[]): string[][] {
  const categories = Map.groupBy(products, ({ category }) => category?.title ?? 'Other');
  return [...categories].flatMap(([title, members]) =>
    members.map((product, index) => [index === 0 ? title : '', ...productCells(product)]),
  );
}

function productCells(product: Product): string[] {
  const { id, title, selling_price, status } = product;
  const price = unitPrice(product);
  return [
    String(id),
    title,
    money(price),
    price === selling_price ? '' : `was ${money(selling_price)}`,
    status ? '' : 'closed',
  ];
}

export const fieldCells = ({ name, label, required, options = [] }: TargetField): string[] => [
  `--${name}`,
  required ? label : `${label} (optional)`,
  options.length === 0 ? '' : `one of ${options.join(', ')}`,
];

export function methodCells(method: PaymentMethod): string[] {
  const { fee, uniqueCode } = additionsOf(method);
  return [
    String(method.id),
    method.name,
    `${fee} ${uniqueCode}`.trim() || 'none',
    money(method.minimum_amount),
    money(method.maximum_amount),
    method.status ? '' : 'closed',
  ];
}

export function heading({ title, slug, developers, category, status }: GameDetail): string {
  const columns = [slug, category.title, developers, ...(status ? [] : ['closed'])];
  return `${printable(title)}\n${printable(columns.join(' · '))}\n`;
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

interface CheckoutView {
  description: string;
  example: string;
  screen(checkout: GetCheckoutResponse, style: OutputStyle): string;
  /** Returns the next step; undefined if there is none. */
  next(checkout: GetCheckoutResponse, service: Service): string | undefined;
}

/** Defines a verb `show` for the checkout of a game. If there is no such game, the error suggests similar slugs. */
export const defineCheckoutView = ({ description, example, screen, next }: CheckoutView): Define =>
  defineCommand({
    name: 'show',
    description,
    build: (command) => command.argument(...slugArgument),
    example,
    async run(context, _options, slug) {
      const service = await connect(context);
      const checkout = await suggestSlugs(service, slug, () =>
        service.ask((client, options) => client.checkout.get(slug, options), { game: slug }),
      );
      await context.print({
        document: checkout,
        ids: [checkout.game.slug],
        screen: (style) => screen(checkout, style),
      });
      const text = next(checkout, service);
      if (text !== undefined) context.remark(text);
    },
  });

function noteOn({ status, populer }: GameWithCategory): string {
  if (!status) return 'closed';
  return populer ? 'popular' : '';
}

const gameColumns: ColumnOf<GameWithCategory>[] = [
  [{ title: 'SLUG' }, ({ slug }) => slug],
  [{ title: 'GAME', long: true }, ({ title }) => title],
  [{ title: 'CATEGORY', long: true }, ({ category }) => category.title],
  [{ title: 'DEVELOPER', long: true }, ({ developers }) => developers],
  [{ title: 'NOTE' }, noteOn],
];

/** Names a fault that a sandbox simulates on purpose, so that it isn't mistaken for a real fault. */
async function remarkFault(context: CommandContext, { connection, commandLine }: Service): Promise<void> {
  const { baseUrl, apiKey } = connection;
  // Sends no additional request to other services.
  if (!apiKey.startsWith('tk_test_')) return;
  const state = await sandboxState(new URL(baseUrl), apiKey, context.io);
  if (state?.fault !== undefined)
    context.remark(
      `This sandbox simulates a fault: ${state.fault}.\nTo end it:\n  ${commandLine('sandbox scenario none')}\n`,
    );
}

const listGames = defineCommand({
  name: 'list',
  description: 'List the games with their slugs',
  example: 'games list --json',
  async run(context) {
    const service = await connect(context);
    const response = await service
      .ask((client, options) => client.games.list(options))
      .finally(() => remarkFault(context, service));
    const { games } = response;
    await context.print({
      document: response,
      ids: games.map(({ slug }) => slug),
      screen: (style) => tableOf(gameColumns, games, style),
    });
    const example = games.find(({ status }) => status)?.slug ?? '<slug>';
    const next = service.commandLine(`games show ${shellWord(example)}`);
    context.remark(`\n${games.length} games. To see the products and prices of a game:\n  ${next}`);
  },
});

/** Returns the flags of the account to top up, with placeholders. */
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
  const commandLine = service.commandLine(
    `orders create --game ${slug} \\\n` +
      `    --product ${product.id} --payment-method ${method.id} \\\n` +
      `    ${targetFlags(game)} --whatsapp '<phone>'`,
  );
  return `\nTo order:\n  ${commandLine}`;
}

const showGame = defineCheckoutView({
  description: 'Show a game with its products, account fields and payment methods',
  example: 'games show mobile-legends',
  screen: gameScreen,
  next: orderExample,
});

/** Sentence and exit code for each result of an account check. */
const accountWords: Readonly<Record<string, [words: string, code: ExitCode]>> = {
  found: ['the player exists', exitCodes.ok],
  not_found: ['the player does not exist: check the id and the server', exitCodes.notFound],
  unsupported: [
    "this game's players can't be looked up; an order doesn't need the lookup",
    exitCodes.failure,
  ],
  unavailable: [
    "the supplier can't check the player now: try again later; an order doesn't need the check",
    exitCodes.failure,
  ],
};

const checkGameAccount = defineCommand({
  name: 'check',
  description: "Look up a player's account, and show the nickname",
  build: (command) =>
    command
      .argument(...slugArgument)
      .requiredOption('--id <account>', 'user id or game id of the account')
      .option('--server <server>', 'server or zone of the account, where the game has them'),
  example: 'games check mobile-legends --id 12345678 --server 2012',
  async run(context, { id, server }, slug) {
    const service = await connect(context);
    const response = await suggestSlugs(service, slug, () =>
      service.ask((client, options) => client.accounts.check({ game: slug, id, server }, options)),
    );
    const { data } = response;
    const [words, code] = (Object.hasOwn(accountWords, data.status) && accountWords[data.status]) || [
      data.status,
      exitCodes.failure,
    ];
    await context.print({
      document: response,
      screen: factList([
        ['Account', [data.id, ...(data.server === null ? [] : [`(${data.server})`])].join(' '), 'title'],
        ['Nickname', data.nickname],
        ['Result', words],
      ]),
    });
    if (code !== exitCodes.ok) throw new QuietExit(code);
  },
});

export const noun = defineGroup(
  'These commands contact the service, with a key that may read its catalogue.',
  [listGames, showGame, checkGameAccount],
);
