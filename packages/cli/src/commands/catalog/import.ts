import type { CatalogChange } from '@topup-kit/core/engine';
import type { Catalog, CatalogEdit, Promo, Store } from '@topup-kit/core/store';
import type { CommandContext } from '../../context.ts';
import { defineCommand } from '../../define-command.ts';
import { operatorName } from '../../input/operator.ts';
import { confirm } from '../../input/prompts.ts';
import { counted, namesAndMore } from '../../output/format.ts';
import { quotaError } from '../../store/from-engine.ts';
import { findStore, withChangeOptions, withStore } from '../../store/open.ts';
import { diffScreen, diffSummary, withOperatorPromos } from './diff.ts';
import { readCatalog } from './files.ts';

/** Rejects promos before the confirmation that the store would reject later. */
async function checkQuotas(store: Store, { promos }: Catalog): Promise<void> {
  for (const { code, quota } of promos) {
    if (quota === null) continue;
    const { total } = await store.countPromoUses(code, '');
    if (total > quota) throw await quotaError({ code, uses: total });
  }
}

/** Replaces the catalogue. An import without changes is not recorded as an edit. */
async function replace(store: Store, catalog: Catalog, edit: CatalogEdit): Promise<void> {
  const outcome = await store.replaceCatalog(catalog, edit.values.length > 0 ? edit : undefined);
  if ('conflict' in outcome) throw await quotaError(outcome);
}

interface ImportResult {
  file: string;
  changes: CatalogChange[];
  /** Operators' promos that are not in the file. */
  kept: Promo[];
  dryRun: boolean;
  path: string;
  isNew: boolean;
}

/** Explains why the store still has promos that are not in the file. */
function keptWords(kept: readonly Promo[]): string {
  if (kept.length === 0) return '';
  const codes = kept.map(({ code }) => code).join(', ');
  return `\nKept ${counted(kept.length, 'promo')} from the promos commands: ${codes}.`;
}

function summary({ changes, kept, path, dryRun, isNew }: ImportResult, verbose: boolean): string {
  if (changes.length === 0) return `No difference to ${path}.${keptWords(kept)}`;
  const words = dryRun ? 'Nothing was changed. An import would make' : 'Imported:';
  const hint = verbose ? '' : '\nTo see every change, add --verbose.';
  return `${verbose ? '\n' : ''}${words} ${diffSummary(changes)} in${isNew ? ' the new store' : ''}\n${path}.${keptWords(kept)}${dryRun ? hint : ''}`;
}

/** Returns the codes of products with a locked price that the file changes or unlocks. */
function lockedPrices(before: Catalog | null, changes: readonly CatalogChange[]): string[] {
  const fields = ['selling_price', 'price_locked'];
  const ids = new Set(
    changes
      .filter(
        ({ kind, change, fields: changed }) =>
          kind === 'product' && (change === 'removed' || changed.some(({ field }) => fields.includes(field))),
      )
      .map(({ key }) => key),
  );
  const products = before?.games.flatMap(({ products }) => products) ?? [];
  return products.filter(({ id, price_locked }) => price_locked && ids.has(id)).map(({ code }) => code);
}

const maxNamed = 5;

const named = (codes: readonly string[]): string => namesAndMore(codes.slice(0, maxNamed), codes.length);

const lockedWords = (codes: readonly string[]): string =>
  codes.length === 0 ? '' : ` It changes ${counted(codes.length, 'locked price')}: ${named(codes)}.`;

/** Warns that margin rules will change new prices in the file again. */
async function remarkRules(
  context: CommandContext,
  store: Store,
  catalog: Catalog,
  changes: readonly CatalogChange[],
): Promise<void> {
  const [margins, [list]] = await Promise.all([store.readMargins(), store.readSupplierLists()]);
  if (margins.length === 0 || !list) return;
  const { planCatalogSync } = await import('@topup-kit/core/engine');
  const { prices } = planCatalogSync(list, { now: Date.now() })({
    catalog,
    margins,
    pricedLists: [],
    lists: [list],
  });
  const changed = new Set(changes.filter(({ kind }) => kind === 'product').map(({ title }) => title));
  const again = prices.filter(({ title }) => changed.has(title)).map(({ code }) => code);
  if (again.length === 0) return;
  context.remark(
    `The next sync computes ${counted(again.length, 'price')} of the file again, by the margin rules: ${named(again)}.\n"price_locked": true keeps a price, and so does catalog lock.`,
  );
}

async function printImport(context: CommandContext, outcome: ImportResult, verbose: boolean): Promise<void> {
  const { file, dryRun, changes, kept } = outcome;
  const document = { file, dry_run: dryRun, changes, kept_promos: kept.map(({ code }) => code) };
  await context.print({ document, screen: (style) => (verbose ? diffScreen(changes, style) : '') });
  context.remark(summary(outcome, verbose));
}

export const importCatalog = defineCommand({
  name: 'import',
  description: "Replace the store's catalogue with a catalogue file",
  build: (command) =>
    withChangeOptions(
      command
        .argument('<file>', 'the catalogue file')
        .option('--verbose', 'list every change, not only their number'),
    ),
  help: `An import can change promos that you made with the promos commands, but it never
deletes them.`,
  example: 'catalog import catalog.json --dry-run --verbose',
  async run(context, options, file) {
    const { changedValues, diffCatalogs } = await import('@topup-kit/core/engine');
    const catalog = await readCatalog(file);
    const dryRun = options.dryRun === true;
    const verbose = options.verbose === true;
    const { path, isNew: isMissing } = await findStore(context, options);
    // A dry run must not create the store.
    if (dryRun && isMissing) {
      const changes = diffCatalogs(null, catalog);
      return printImport(context, { file, changes, kept: [], dryRun, path, isNew: true }, verbose);
    }
    await withStore(context, { ...options, mayCreate: !dryRun }, async ({ store, isNew }) => {
      const before = await store.readCatalog();
      const { merged, kept } = await withOperatorPromos(store, catalog);
      const changes = diffCatalogs(before, merged);
      await checkQuotas(store, catalog);
      const locked = lockedPrices(before, changes);
      if (!dryRun) {
        const consequence = `An import replaces the catalogue of ${path}: ${diffSummary(changes)}.${lockedWords(locked)}`;
        if (before && changes.length > 0) await confirm(context, { yes: options.yes, consequence });
        await replace(store, catalog, {
          at: Date.now(),
          by: operatorName(context.io, options.operator),
          command: 'import',
          values: changedValues(before, merged),
        });
      }
      await printImport(context, { file, changes, kept, dryRun, path, isNew }, verbose);
      if (locked.length > 0 && (options.yes || dryRun)) context.remark(lockedWords(locked).trim());
      await remarkRules(context, store, merged, changes);
    });
  },
});
