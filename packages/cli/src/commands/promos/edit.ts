import { InvalidArgumentError, Option } from '@commander-js/extra-typings';
import type { BelowCost, CatalogProblem, readPromo } from '@topup-kit/core/engine';
import type { Promo } from '@topup-kit/core/store';
import type { CommandContext } from '../../context.ts';
import type { Define, NewCommand, OptionsOf } from '../../define-command.ts';
import { CliError, exitCodes, usageError } from '../../errors/cli-error.ts';
import { wholeNumber } from '../../input/arguments.ts';
import { momentReader, timeText } from '../../input/moments.ts';
import { operatorOption } from '../../input/operator.ts';
import { dryRunOption, nothingChanged } from '../../input/prompts.ts';
import type { Io } from '../../io.ts';
import { counted, money } from '../../output/format.ts';
import { printable } from '../../output/text.ts';
import { defineStoreCommand } from '../../store/define-store-command.ts';
import { quotaError } from '../../store/from-engine.ts';
import { noCatalog, noteActivity, notInStore, type OperatorStore } from '../../store/open.ts';
import { describePromo, promoDocument, promoScreen } from './list.ts';

const maxLosses = 10;

/** Converts `12.5` to 1250 basis points. It parses the text, so that nothing is rounded. */
function basisPoints(text: string): number {
  const [, whole = '', fraction = ''] = /^(\d{1,3})(?:\.(\d{1,2}))?$/.exec(text) ?? [];
  const points = Number(whole + fraction.padEnd(2, '0'));
  if (whole === '' || points < 1 || points > 10_000)
    throw new InvalidArgumentError('Give a number from 0.01 to 100.');
  return points;
}

function rupiahOff(text: string): number {
  const amount = wholeNumber(text);
  if (amount === 0) throw new InvalidArgumentError('Give a whole number from 1.');
  return amount;
}

const collected = (text: string, before: number[] = []): number[] => [...before, wholeNumber(text)];

const build = (command: NewCommand) =>
  command
    .requiredOption('--code <code>', 'the code that customers type')
    .addOption(
      new Option('--percent <number>', 'percent off the price of an item')
        .argParser(basisPoints)
        .conflicts('amount'),
    )
    .option('--amount <rupiah>', 'rupiah off the price of an item', rupiahOff)
    .option('--max-discount <rupiah>', 'maximum discount of an item', wholeNumber)
    .option('--quota <number>', 'maximum number of orders that may use it', wholeNumber)
    .option(
      '--per-customer <number>',
      'maximum number of orders with one phone number that may use it',
      wholeNumber,
    )
    .option('--minimum <rupiah>', 'minimum price of an order before the promo', wholeNumber)
    .option('--starts <time>', 'start; a date means the start of that day in TOPUP_TIMEZONE', timeText)
    .option('--ends <time>', 'end; a date includes that day in TOPUP_TIMEZONE', timeText)
    .option('--game <slug...>', 'only for these games')
    .option('--product <id...>', 'only for these products', collected)
    .option('--payment-method <id...>', 'only for these payment methods', collected)
    .option('--replace', 'replace the promo that has this code; its uses still count')
    .option(...operatorOption)
    .option(...dryRunOption);

type PromoOptions = OptionsOf<typeof build>;

const lossDocument = ({ product: { id, code }, cost, price }: BelowCost) => ({
  product_id: id,
  code,
  price,
  cost,
  loss: cost - price,
});

/** Names the products that a promo sells below cost, with the highest loss first. */
function lossWords(losses: readonly BelowCost[]): string {
  const lines = losses
    .slice(0, maxLosses)
    .map(
      ({ product: { id, code, title }, cost, price }) =>
        `  ${id} ${code} (${printable(title)}): sold for ${money(price)}, costs ${money(cost)}`,
    );
  const more = losses.length - lines.length;
  return [
    `\nBelow cost with this promo: ${counted(losses.length, 'product')}. The server rejects the promo for`,
    'products that lose more than its TOPUP_PROMO_MAX_LOSS.',
    ...lines,
    ...(more > 0 ? [`  and ${more} more; --json lists all.`] : []),
  ].join('\n');
}

/** Stores a promo, unless it is a dry run, and prints it. */
async function putPromo(
  context: CommandContext,
  { store, deps }: OperatorStore,
  promo: Promo,
  dryRun = false,
): Promise<void> {
  const { previewPromo } = await import('@topup-kit/core/engine');
  const now = deps.worldClock();
  const { used, isOverused, losses } = await previewPromo(store, promo, { realNow: Date.now(), now });
  if (isOverused) throw await quotaError({ code: promo.code, uses: used.uses });
  const outcome = dryRun ? { done: true } : await store.putPromo(promo);
  if ('conflict' in outcome) throw await quotaError(outcome);
  const { operator } = deps;
  if (!dryRun) await noteActivity(store, { operator, action: 'promo.saved', subject: promo.code });
  const shown = await describePromo(used, now);
  await context.print({
    document: { ...promoDocument(used), below_cost: losses.map(lossDocument) },
    ids: [promo.code],
    screen: () => promoScreen(shown),
  });
  if (losses.length > 0) context.remark(lossWords(losses));
  if (dryRun) context.remark(nothingChanged);
}

async function promoEntry(io: Io, options: PromoOptions): Promise<Parameters<typeof readPromo>[1]> {
  const { percent, amount, maxDiscount } = options;
  if (percent === undefined && amount === undefined)
    throw usageError('A promo needs --percent or --amount: the discount.');
  const max_discount = maxDiscount ?? null;
  const readMoment = await momentReader(io);
  return {
    code: options.code,
    discount:
      percent === undefined
        ? { type: 'FIXED', value: amount, max_discount }
        : { type: 'PERCENT', basis_points: percent, max_discount },
    starts_at: readMoment(options.starts, 'begin'),
    ends_at: readMoment(options.ends, 'end'),
    quota: options.quota ?? null,
    per_customer: options.perCustomer ?? null,
    minimum_purchase: options.minimum ?? 0,
    games: options.game ?? [],
    products: options.product ?? [],
    payment_methods: options.paymentMethod ?? [],
  };
}

const flags: ReadonlyMap<string, string> = new Map(
  Object.entries<string>({
    code: '--code',
    'discount.basis_points': '--percent',
    'discount.value': '--amount',
    'discount.max_discount': '--max-discount',
    starts_at: '--starts',
    ends_at: '--ends',
    quota: '--quota',
    per_customer: '--per-customer',
    minimum_purchase: '--minimum',
    games: '--game',
    products: '--product',
    payment_methods: '--payment-method',
  }),
);

/** Names problems by flags: `games` becomes `--game`. */
function fieldsOf(problems: readonly CatalogProblem[]): Record<string, string[]> {
  const byFlag = Map.groupBy(problems, ({ path }) => flags.get(path) ?? path);
  const words = ({ rule }: CatalogProblem): string => rule.replace('starts_at', '--starts');
  return Object.fromEntries([...byFlag].map(([flag, rules]) => [flag, rules.map(words)]));
}

const invalid = (problems: readonly CatalogProblem[]): CliError =>
  new CliError('This promo does not fit the catalogue.', {
    code: 'INVALID_PROMO',
    exitCode: exitCodes.usage,
    fields: fieldsOf(problems),
  });

const taken = (code: string): CliError =>
  new CliError(`Promo ${code} already exists.`, {
    code: 'PROMO_EXISTS',
    exitCode: exitCodes.rejected,
    hint: 'Nothing was changed. Add --replace to replace it.',
  });

export const create = defineStoreCommand({
  name: 'create',
  description: 'Create a promo code',
  build,
  example: `promos create --code LEBARAN --percent 10 \\\n    --max-discount 2000 --quota 1000 --ends 2026-12-31`,
  async run(operating, context, options) {
    const catalog = await operating.store.readCatalog();
    if (!catalog) throw noCatalog(operating.path, context.io);
    const { readPromo } = await import('@topup-kit/core/engine');
    const read = readPromo(catalog, await promoEntry(context.io, options));
    if ('problems' in read) throw invalid(read.problems);
    const { promo, old } = read;
    if (old && !options.replace) throw taken(old.code);
    await putPromo(context, operating, promo, options.dryRun);
  },
});

const defineSwitch = (name: 'enable' | 'disable', description: string): Define =>
  defineStoreCommand({
    name,
    description,
    build: (command) =>
      command
        .argument('<promo>', 'code of the promo')
        .option(...operatorOption)
        .option(...dryRunOption),
    example: `promos ${name} RAMADAN10`,
    async run(operating, context, options, code) {
      const { findPromo } = await import('@topup-kit/core/engine');
      const promo = findPromo((await operating.store.readCatalog())?.promos ?? [], code);
      if (!promo) throw notInStore(operating, `promo ${code}`, 'PROMO_NOT_FOUND', 'promos list');
      await putPromo(context, operating, { ...promo, status: name === 'enable' }, options.dryRun);
    },
  });

export const disable = defineSwitch('disable', 'Disable a promo; existing orders keep their discount');
export const enable = defineSwitch('enable', 'Enable a disabled promo');
