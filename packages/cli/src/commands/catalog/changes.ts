import type { CatalogPlan, CatalogState, PlannedEdit } from '@topup-kit/core/engine';
import type { EditedValue, MarginRule, Store } from '@topup-kit/core/store';
import type { CommandContext } from '../../context.ts';
import { CliError, exitCodes } from '../../errors/cli-error.ts';
import { confirm, nothingChanged } from '../../input/prompts.ts';
import { counted, grouped, money, namesAndMore } from '../../output/format.ts';
import type { OutputStyle } from '../../output/style.ts';
import { type ColumnOf, tableOf } from '../../output/table.ts';
import { type OperatorStore, type StoreOptions, withOperatorStore } from '../../store/open.ts';
import { valueWords } from './diff.ts';

export function roundingWords({ rounding }: Pick<MarginRule, 'rounding'>): string {
  if (rounding === null) return '';
  return rounding === 'end-900' ? 'up to …900' : `up to ${money(rounding.up)}`;
}

/** Formats a margin rule in one line, such as `8 % + Rp 500, at least Rp 300, up to Rp 100`. */
export function ruleWords({ percent, flat, minimum, floor, rounding }: MarginRule): string {
  const added = [...(percent > 0 ? [`${percent / 100} %`] : []), ...(flat > 0 ? [money(flat)] : [])].join(
    ' + ',
  );
  return [
    ...(added === '' ? [] : [added]),
    ...(minimum > 0 ? [`at least ${money(minimum)}`] : []),
    ...(floor > 0 ? [`from ${money(floor)}`] : []),
    ...(rounding === null ? [] : [roundingWords({ rounding })]),
  ].join(', ');
}

/** Maximum number of changed values on a screen; `--json` contains all. */
const maxShown = 30;

const fieldWords: ReadonlyMap<string, string> = new Map([
  ['selling_price', 'price'],
  ['price_locked', 'locked'],
  ['status', 'open'],
]);

function words({ kind, field }: EditedValue, value: unknown): string {
  // Safe: the value of a margin is its rule.
  if (kind === 'margin' && value !== null) return ruleWords(value as MarginRule);
  if (value === true) return 'yes';
  if (value === false || (value === null && field === 'price_locked')) return 'no';
  return typeof value === 'number' ? grouped(value) : valueWords(value);
}

const columns: readonly ColumnOf<EditedValue>[] = [
  [{ title: 'WHAT' }, ({ kind }) => (kind === 'payment_method' ? 'method' : kind)],
  [{ title: 'CODE' }, ({ key }) => key],
  [{ title: 'FIELD' }, ({ field }) => fieldWords.get(field) ?? field],
  [{ title: 'FROM → TO', long: true }, (value) => `${words(value, value.from)} → ${words(value, value.to)}`],
];

/** Formats changed values, up to the limit of a screen. */
export function valuesScreen(values: readonly EditedValue[], style: OutputStyle): string {
  const more = values.length - maxShown;
  const rest = more > 0 ? `and ${more} more; --json lists all\n` : '';
  return tableOf(columns, values.slice(0, maxShown), style) + rest;
}

const kinds = {
  unknown: { code: 'NOT_IN_CATALOG', exitCode: exitCodes.notFound, listedBy: 'catalog list' },
  'no-rule': { code: 'NO_RULE', exitCode: exitCodes.notFound, listedBy: 'catalog margin list' },
  refused: { code: 'EDIT_REFUSED', exitCode: exitCodes.rejected, listedBy: null },
} as const;

/** Runs an edit. An EditError of the engine becomes a CliError. */
export async function describingEdits<Result>(
  { path, commandLine }: Pick<OperatorStore, 'path' | 'commandLine'>,
  work: () => Promise<Result>,
): Promise<Result> {
  const { EditError } = await import('@topup-kit/core/engine');
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof EditError)) throw error;
    const { code, exitCode, listedBy } = kinds[error.problem];
    throw new CliError(error.message, {
      code,
      exitCode,
      hint:
        listedBy === null
          ? `Nothing was changed in ${path}.`
          : `Nothing was changed. List the existing ones:\n  ${commandLine(listedBy)}`,
    });
  }
}

interface Edit {
  /** Command for the history. */
  command: string;
  planOf(state: CatalogState): CatalogPlan;
  /** Set if rules may change prices that the operator did not type. Such an edit needs a confirmation or `--yes`. */
  asks?: { yes: true | undefined };
}

/** Maximum number of prices that a question names. */
const maxNamed = 5;

/** Describes the price changes of an edit: their number, their size and the largest ones. */
function pricesWords(values: readonly EditedValue[]): string {
  const prices = values
    .filter(({ field }) => field === 'selling_price')
    .map(({ key, from, to }) => {
      const [before, after] = [Number(from), Number(to)];
      const percent = Math.round(((after - before) / Math.max(before, 1)) * 100);
      return { percent, words: `${key} from ${grouped(before)} to ${grouped(after)}` };
    })
    .toSorted((a, b) => Math.abs(b.percent) - Math.abs(a.percent));
  const [most] = prices;
  if (!most) return '';
  const named = prices.slice(0, maxNamed).map(({ words }) => words);
  return `This changes ${counted(prices.length, 'price')} (up to ${most.percent > 0 ? '+' : ''}${grouped(most.percent)} %): ${namesAndMore(named, prices.length)}.`;
}

/** Shows the price changes and asks for confirmation. Makes exactly the edit that was shown, or none. */
async function editAfterQuestion(
  context: CommandContext,
  { store, deps }: OperatorStore,
  { command, planOf, asks }: Edit,
): Promise<PlannedEdit<CatalogPlan>> {
  const { CatalogChangedError, editCatalog, previewEdit } = await import('@topup-kit/core/engine');
  const edit = { store, realClock: Date.now, operator: deps.operator };
  if (!asks || asks.yes) return editCatalog(edit, command, planOf);
  const seenRevision = await store.revision();
  const consequence = pricesWords((await previewEdit({ store }, planOf)).values);
  if (consequence === '') return editCatalog(edit, command, planOf);
  await confirm(context, { yes: undefined, consequence });
  try {
    return await editCatalog({ ...edit, seenRevision }, command, planOf);
  } catch (error) {
    if (!(error instanceof CatalogChangedError)) throw error;
    throw new CliError('The catalogue or a list of a supplier has changed in the meantime.', {
      code: 'CATALOG_CHANGED',
      exitCode: exitCodes.rejected,
      hint: 'Nothing was done. Run the command again to see its current effect.',
    });
  }
}

/** Returns the command that undoes an edit. Without a number, `catalog undo` undoes the newest edit that is not itself an undo. */
async function undoCommand(store: Store, command: string): Promise<string> {
  if (!command.startsWith('undo ')) return 'catalog undo';
  const edits = await store.listCatalogEdits(10);
  return `catalog undo ${edits.find((edit) => edit.command === command)?.number ?? ''}`.trimEnd();
}

/** Makes or only plans an edit of the catalogue, and prints its changes. */
export async function makeEdit(
  context: CommandContext,
  operating: OperatorStore,
  edit: Edit,
  dryRun: boolean,
): Promise<void> {
  const { keptOutWords, previewEdit } = await import('@topup-kit/core/engine');
  const { store, path } = operating;
  const { command, planOf } = edit;
  const { values, plan } = await describingEdits(operating, () =>
    dryRun ? previewEdit({ store }, planOf) : editAfterQuestion(context, operating, edit),
  );
  await context.print({
    document: { command, dry_run: dryRun, changes: values },
    ids: [...new Set(values.map(({ key }) => key))],
    screen: (style) => valuesScreen(values, style),
  });
  if (values.length === 0) context.remark(`Nothing to change: ${path} already has these values.`);
  else if (dryRun)
    context.remark([edit.asks ? pricesWords(values) : '', nothingChanged].filter(Boolean).join('\n'));
  else
    context.remark(
      `\n${counted(values.length, 'change')}. To take ${values.length === 1 ? 'it' : 'them'} back:\n  ${operating.commandLine(await undoCommand(store, command))}`,
    );
  if (plan.keptOut?.length)
    context.remark(`Still at their previous price: ${keptOutWords(plan.keptOut).en}.`);
}

export const runEdit = (
  context: CommandContext,
  options: StoreOptions & { dryRun?: true },
  edit: Edit,
): Promise<void> =>
  withOperatorStore(context, options, (operating) =>
    makeEdit(context, operating, edit, options.dryRun === true),
  );
