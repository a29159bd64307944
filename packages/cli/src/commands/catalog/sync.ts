import { setTimeout as sleep } from 'node:timers/promises';
import { InvalidArgumentError } from '@commander-js/extra-typings';
import type { KeptOut, KeptOutReason, SyncPlan } from '@topup-kit/core/engine';
import type { CommandContext } from '../../context.ts';
import { defineCommand, type NewCommand, type OptionsOf } from '../../define-command.ts';
import { CliError, exitCodes, QuietExit } from '../../errors/cli-error.ts';
import { operatorOption } from '../../input/operator.ts';
import { counted, grouped, isoTime } from '../../output/format.ts';
import type { OutputStyle } from '../../output/style.ts';
import { type ColumnOf, tableOf } from '../../output/table.ts';
import { type OperatorStore, storeOption, withOperatorStore } from '../../store/open.ts';
import { describingEdits } from './changes.ts';
import { withDiffExitCode } from './diff.ts';
import { closureWords } from './list.ts';
import { listWords, type ReadList, readSupplierLists } from './supplier-list.ts';

/** Maximum number of lines of each kind on a screen; `--json` contains all. */
const maxShown = 20;

const priceColumns: readonly ColumnOf<SyncPlan['prices'][number]>[] = [
  [{ title: 'CODE' }, ({ code }) => code],
  [{ title: 'TITLE', long: true, spare: true }, ({ title }) => title],
  [{ title: 'COST', align: 'right' }, ({ cost }) => grouped(cost)],
  [{ title: 'PRICE', align: 'right' }, ({ from }) => grouped(from)],
  [{ title: 'NEW', align: 'right' }, ({ to }) => grouped(to)],
];

const keptOutReasons: Record<KeptOutReason, string> = {
  'several-prices': 'listed at several prices',
  limit: 'above the maximum price of a catalogue',
  zero: 'listed at 0: --force',
  far: 'far from before: --force',
};

const closedColumns: readonly ColumnOf<SyncPlan['closed'][number]>[] = [
  [{}, ({ code }) => code],
  [{ long: true }, ({ title }) => title],
  [{}, ({ why }) => closureWords[why]],
];

const thinColumns: readonly ColumnOf<SyncPlan['thin'][number]>[] = [
  [{}, ({ code }) => code],
  [{}, ({ cost, price }) => `costs ${grouped(cost)}, sold for ${grouped(price)}`],
  [{}, ({ isLocked }) => (isLocked ? 'locked' : 'no rule')],
];

const keptOutColumns: readonly ColumnOf<KeptOut>[] = [
  [{}, ({ code }) => code],
  [{}, ({ cost }) => `costs ${grouped(cost)}`],
  [{}, ({ from, to }) => `${grouped(from)}, not ${grouped(to)}`],
  [{}, ({ why }) => keptOutReasons[why]],
];

const listedColumns: readonly ColumnOf<SyncPlan['withoutProduct'][number]>[] = [
  [{}, ({ code }) => code],
  [{ long: true }, ({ name = '' }) => name],
  [{ align: 'right' }, ({ price }) => (price === undefined ? '' : grouped(price))],
];

/** Formats a titled table of a sync's results, up to the limit of a screen; empty without items. */
function section<Item>(
  title: string,
  columns: readonly ColumnOf<Item>[],
  items: readonly Item[],
  style: OutputStyle,
): string {
  if (items.length === 0) return '';
  const more = items.length - maxShown;
  const rest = more > 0 ? `  and ${more} more; --json lists all\n` : '';
  return `${title}: ${items.length}\n${tableOf(columns, items.slice(0, maxShown), { ...style, indent: 2 })}${rest}\n`;
}

const named = (codes: readonly string[]): { code: string }[] => codes.map((code) => ({ code }));
const codeColumn: readonly ColumnOf<{ code: string }>[] = [[{}, ({ code }) => code]];

export const screenOf = (plan: SyncPlan, style: OutputStyle): string =>
  [
    section('New prices', priceColumns, plan.prices, style),
    section('Kept out', keptOutColumns, plan.keptOut, style),
    section('Closed by the list', closedColumns, plan.closed, style),
    section('Open again', codeColumn, named(plan.reopened), style),
    section('Not listed by the supplier', codeColumn, named(plan.unlisted), style),
    section('Too little margin', thinColumns, plan.thin, style),
    section('Listed, and not in the catalogue', listedColumns, plan.withoutProduct, style),
  ].join('');

export const documentOf = (plan: SyncPlan, isWritten: boolean) => ({
  supplier: plan.list.supplier,
  read_at: isoTime(plan.list.readAt),
  written: isWritten,
  prices: plan.prices,
  kept_out: plan.keptOut,
  closed: plan.closed,
  reopened: plan.reopened,
  unlisted: plan.unlisted,
  thin: plan.thin.map(({ isLocked, ...thin }) => ({ ...thin, locked: isLocked })),
  without_product: plan.withoutProduct.map(({ code, name = null, brand = null, price = null }) => ({
    code,
    name,
    brand,
    price,
  })),
  without_rule: plan.withoutRule,
  distrust: plan.distrust?.message ?? null,
});

function minutesText(text: string): number {
  const minutes = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (minutes < 1 || minutes > 1440) throw new InvalidArgumentError('Give whole minutes from 1 to 1440.');
  return minutes;
}

const addSyncOptions = (command: NewCommand) =>
  command
    .option('-y, --yes', 'write the new prices')
    .option('--force', 'accept a much shorter list, and costs that are 0 or very different')
    .option(
      '--watch [minutes]',
      'repeat the sync and write new prices; default: every 10 minutes',
      minutesText,
    )
    .option(...operatorOption)
    .option(...storeOption);

type Options = OptionsOf<typeof addSyncOptions>;

/** Summarises the plan or its result in one line. */
export function summary({ prices, keptOut, withoutRule, distrust }: SyncPlan, isWritten: boolean): string {
  const rules =
    (withoutRule > 0 ? ` ${counted(withoutRule, 'product')} without a margin rule.` : '') +
    (keptOut.length > 0 ? ` ${counted(keptOut.length, 'product')} still at the previous price.` : '');
  if (distrust !== null && !isWritten)
    return `${distrust.message}\nNo price was changed. If the list is right, add --yes --force. Products missing from the newest list\nare closed anyway, because the supplier can't deliver them.`;
  if (prices.length === 0) return `No price changes.${rules}`;
  if (isWritten) return `${counted(prices.length, 'price')} changed.${rules}`;
  return `${counted(prices.length, 'price')} to change.${rules} To write ${prices.length === 1 ? 'it' : 'them'}, add --yes.`;
}

/** Writes the changes of a trusted list. Only plans the changes of any other list. */
async function planOrWrite(
  operating: OperatorStore,
  { list, isFirst }: ReadList,
  { isWriting, force }: { isWriting: boolean; force: true | undefined },
): Promise<{ plan: SyncPlan; isWritten: boolean }> {
  const { store, deps } = operating;
  const { editCatalog, planSync, previewEdit, planCatalogSync } = await import('@topup-kit/core/engine');
  const options = { now: deps.worldClock(), isFirst, force };
  return describingEdits(operating, async () => {
    const { plan } = await previewEdit({ store }, (state) => planSync(state, list, options));
    if (!isWriting || (plan.distrust && !force)) return { plan, isWritten: false };
    const edit = { store, realClock: Date.now, operator: deps.operator };
    const written = await editCatalog(edit, 'sync', planCatalogSync(list, options));
    return { plan: written.plan, isWritten: true };
  });
}

/** Syncs with one list. Returns whether changes need a confirmation. */
async function syncWithList(
  context: CommandContext,
  operating: OperatorStore,
  read: ReadList,
  { options, isWriting, isAlone }: { options: Options; isWriting: boolean; isAlone: boolean },
): Promise<boolean> {
  const { plan, isWritten } = await planOrWrite(operating, read, { isWriting, force: options.force });
  const result = {
    document: documentOf(plan, isWritten),
    ids: plan.prices.map(({ code }) => code),
    screen: (style: OutputStyle) => screenOf(plan, style),
  };
  await (isAlone ? context.print(result) : context.printNext(result));
  if (isWriting && !isWritten && options.watch === undefined)
    throw new CliError(plan.distrust?.message ?? '', {
      code: 'LIST_NOT_TRUSTED',
      exitCode: exitCodes.rejected,
      hint: "No price was changed. Check the list, and add --force if it is right. Products missing from the\nnewest list are closed anyway, because the supplier can't deliver them.",
    });
  context.remark(`${listWords(read)} ${summary(plan, isWritten)}`);
  const { isForcible } = await import('@topup-kit/core/engine');
  return plan.keptOut.some(isForcible) || (!isWritten && (plan.prices.length > 0 || plan.distrust !== null));
}

/** Syncs with the list of each supplier. Returns whether changes need a confirmation. */
async function syncOnce(
  context: CommandContext,
  operating: OperatorStore,
  options: Options,
  isWriting: boolean,
): Promise<boolean> {
  const lists = await readSupplierLists(context, operating);
  const isAlone = lists.length === 1 && options.watch === undefined;
  let isWaiting = false;
  for (const list of lists)
    if (await syncWithList(context, operating, list, { options, isWriting, isAlone })) isWaiting = true;
  return isWaiting;
}

/** Syncs repeatedly until the command is stopped. A failed sync is tried again next time. */
async function watch(
  context: CommandContext,
  operating: OperatorStore,
  options: Options,
  minutes: number,
): Promise<void> {
  const { signal } = context.io;
  while (!signal?.aborted) {
    await syncOnce(context, operating, options, true).catch((error: unknown) => {
      if (!(error instanceof CliError) || error.details.exitCode === exitCodes.usage) throw error;
      context.remark(`${error.message} The next try is in ${counted(minutes, 'minute')}.`);
    });
    await sleep(minutes * 60_000, undefined, signal && { signal }).catch(() => {});
  }
}

export const sync = defineCommand({
  name: 'sync',
  description: "Compare the catalogue with the supplier's list, and update prices",
  build: addSyncOptions,
  help: `Asks each supplier in TOPUP_SUPPLIER, or uses the last list that a server read.
Prices follow the margin rules, except locked ones. Exits with 0 when the
prices are up to date, with 1 when changes wait for --yes or --force, and with
another code after a failure. A product with an implausible cost keeps its
price. A server syncs automatically with TOPUP_SYNC_MINUTES.`,
  example: 'catalog sync --yes',
  async run(context, options) {
    let isWaiting = false;
    await withOperatorStore(context, options, async (operating) => {
      const { watch: minutes } = options;
      if (minutes !== undefined) return watch(context, operating, options, minutes === true ? 10 : minutes);
      isWaiting = await syncOnce(context, operating, options, options.yes === true);
    }).catch((error: unknown) => {
      throw withDiffExitCode(error);
    });
    if (isWaiting) throw new QuietExit(exitCodes.failure);
  },
});
