import type { CatalogChange } from '@topup-kit/core/engine';
import type { Catalog, Promo, Store } from '@topup-kit/core/store';
import type { CommandContext } from '../../context.ts';
import { defineCommand } from '../../define-command.ts';
import { confirm, dryRunOption, yesOption } from '../../input/prompts.ts';
import { counted } from '../../output/format.ts';
import { quotaError } from '../../store/from-engine.ts';
import { findStore, storeOption, withStore } from '../../store/open.ts';
import { diffScreen, diffSummary, withOperatorPromos } from './diff.ts';
import { readCatalog } from './files.ts';

/** Rejects, before the confirmation, what the store would reject. */
async function checkQuotas(store: Store, { promos }: Catalog): Promise<void> {
  for (const { code, quota } of promos) {
    if (quota === null) continue;
    const { total } = await store.countPromoUses(code, '');
    if (total > quota) throw quotaError({ code, uses: total });
  }
}

async function replace(store: Store, catalog: Catalog): Promise<void> {
  const outcome = await store.replaceCatalog(catalog);
  if ('conflict' in outcome) throw quotaError(outcome);
}

interface ImportResult {
  file: string;
  changes: CatalogChange[];
  /** The operator's promos that the file doesn't name. */
  kept: Promo[];
  dryRun: boolean;
  path: string;
  /** Whether the store is new. */
  isNew: boolean;
}

/** Why promos are still there that the file doesn't have. */
function keptWords(kept: readonly Promo[]): string {
  if (kept.length === 0) return '';
  const codes = kept.map(({ code }) => code).join(', ');
  return `\nKept ${counted(kept.length, 'promo')} of the promos commands: ${codes}.`;
}

function summary({ changes, kept, path, dryRun, isNew }: ImportResult, verbose: boolean): string {
  if (changes.length === 0) return `No difference to ${path}.${keptWords(kept)}`;
  const words = dryRun ? 'Nothing was changed. An import would make' : 'Imported:';
  const hint = verbose ? '' : '\nTo see every change, add --verbose.';
  return `${verbose ? '\n' : ''}${words} ${diffSummary(changes)} in${isNew ? ' the new store' : ''}\n${path}.${keptWords(kept)}${dryRun ? hint : ''}`;
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
    command
      .argument('<file>', 'the catalogue file')
      .option('--verbose', 'list every change, not just how many there are')
      .option(...yesOption)
      .option(...dryRunOption)
      .option(...storeOption),
  help: `Promos that you created or changed with the promos commands are kept: a file
can change them, but no import deletes them.`,
  example: 'catalog import catalog.json --dry-run --verbose',
  async run(context, options, file) {
    const { diffCatalogs } = await import('@topup-kit/core/engine');
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
      if (!dryRun) {
        const consequence = `An import replaces the catalogue of ${path}: ${diffSummary(changes)}.`;
        if (before && changes.length > 0) await confirm(context, { yes: options.yes, consequence });
        await replace(store, catalog);
      }
      await printImport(context, { file, changes, kept, dryRun, path, isNew }, verbose);
    });
  },
});
