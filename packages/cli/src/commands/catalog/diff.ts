import type { CatalogChange, FieldChange } from '@topup-kit/core/engine';
import type { Catalog, Promo, Store } from '@topup-kit/core/store';
import type { CommandContext } from '../../context.ts';
import { defineCommand } from '../../define-command.ts';
import { CliError, exitCodes, QuietExit } from '../../errors/cli-error.ts';
import type { OutputStyle } from '../../output/style.ts';
import { type Column, table } from '../../output/table.ts';
import { fromThrown } from '../../service/to-cli-error.ts';
import { type StoreOptions, storeOption, withStore } from '../../store/open.ts';
import { readCatalog } from './files.ts';

const columns: Column[] = [
  { title: 'CHANGE' },
  { title: 'WHAT' },
  { title: 'ID', align: 'right' },
  { title: 'TITLE', long: true },
  { title: 'FIELD' },
  { title: 'FROM → TO', long: true },
];

const kinds: Record<CatalogChange['kind'], string> = {
  catalog: 'lists',
  category: 'category',
  game: 'game',
  product: 'product',
  payment_method: 'method',
  promo: 'promo',
};

export function valueWords(value: unknown): string {
  if (value === null) return 'none';
  if (typeof value === 'string') return value === '' ? '""' : value;
  return JSON.stringify(value);
}

/** Tells whether two lists have the same items in another order. */
const isReordered = (from: unknown, to: unknown): boolean =>
  Array.isArray(from) &&
  Array.isArray(to) &&
  from.length === to.length &&
  from.every((state) => to.includes(state));

const fieldCells = ({ field, from, to }: FieldChange): string[] => [
  field,
  isReordered(from, to) ? 'in another order' : `${valueWords(from)} → ${valueWords(to)}`,
];

/** Creates one row per field. Only the first row names the changed item. */
function rowsOf({ change, kind, key, title, fields }: CatalogChange): string[][] {
  const head = [change, kinds[kind], kind === 'promo' ? '' : String(key ?? ''), title];
  const [first, ...rest] = fields.map(fieldCells);
  return [[...head, ...(first ?? [])], ...rest.map((cells) => ['', '', '', '', ...cells])];
}

export const diffScreen = (changes: readonly CatalogChange[], style: OutputStyle): string =>
  table(columns, changes.flatMap(rowsOf), style);

/** Formats `1 added, 2 changed`, without kinds of change that don't occur. */
export function diffSummary(changes: readonly CatalogChange[]): string {
  const counts = Map.groupBy(changes, ({ change }) => change);
  return (['added', 'changed', 'removed'] as const)
    .flatMap((change) => {
      const count = counts.get(change)?.length ?? 0;
      return count === 0 ? [] : [`${count} ${change}`];
    })
    .join(', ');
}

/** Prints the differences, and returns their number. */
async function compare(context: CommandContext, file: string, options: StoreOptions): Promise<number> {
  const { diffCatalogs } = await import('@topup-kit/core/engine');
  const catalog = await readCatalog(file);
  let count = 0;
  await withStore(context, { ...options, mayCreate: false }, async ({ store, path }) => {
    const { merged } = await withOperatorPromos(store, catalog);
    const changes = diffCatalogs(await store.readCatalog(), merged);
    count = changes.length;
    await context.print({
      document: { file, changes },
      screen: (style) => diffScreen(changes, style),
    });
    const words = count === 0 ? 'No difference to ' : `\nAn import would make ${diffSummary(changes)} in\n`;
    context.remark(`${words}${path}.`);
  });
  return count;
}

/** Changes the exit code of an error, because exit code 1 means differences, as in `diff`. */
export function withDiffExitCode(error: unknown): CliError {
  const problem = fromThrown(error);
  const { exitCode } = problem.details;
  if (exitCode !== exitCodes.failure) return problem;
  return new CliError(problem.message, { ...problem.details, exitCode: exitCodes.usage });
}

export const diffCatalog = defineCommand({
  name: 'diff',
  description: 'Show what an import of a catalogue file would change',
  build: (command) => command.argument('<file>', 'the catalogue file').option(...storeOption),
  help: `Exits with 0 if nothing differs, with 1 if something does, and with another code
after a failure.`,
  example: 'catalog diff catalog.json',
  async run(context, options, file) {
    const count = await compare(context, file, options).catch((error: unknown) => {
      throw withDiffExitCode(error);
    });
    if (count > 0) throw new QuietExit(exitCodes.failure);
  },
});

interface MergedCatalog {
  /** Catalogue that the store has after an import. */
  merged: Catalog;
  /** Operators' promos that are not in the file. */
  kept: Promo[];
}

/**
 * Adds the store's promos that an import keeps to a catalogue.
 * @throws CliError if such a promo doesn't fit the file, for example because its only game is missing.
 */
export async function withOperatorPromos(store: Store, catalog: Catalog): Promise<MergedCatalog> {
  const { readCatalogFile } = await import('@topup-kit/core/engine');
  const { mergeOperatorPromos } = await import('@topup-kit/core/store');
  const merged = mergeOperatorPromos(catalog, await store.readOperatorPromos());
  const kept = merged.promos.slice(catalog.promos.length);
  const read = readCatalogFile({ format: 'topup-kit/catalog@1', ...merged });
  if ('catalog' in read) return { merged, kept };
  // The file alone is valid, so each problem belongs to a kept promo.
  const fields = Map.groupBy(read.problems, ({ path }) => {
    const index = Number(/^promos\[(\d+)\]/.exec(path)?.[1]);
    return merged.promos[index]?.code ?? path;
  });
  throw new CliError('Promos from the promos commands stay in the store, but do not fit this file.', {
    code: 'PROMO_DOES_NOT_FIT',
    exitCode: exitCodes.rejected,
    fields: Object.fromEntries(
      [...fields].map(([code, problems]) => [code, problems.map(({ rule }) => rule)]),
    ),
    hint: 'Nothing was changed. Add the missing entries or these promos to the file,\nor change the promos with promos create --replace.',
  });
}
