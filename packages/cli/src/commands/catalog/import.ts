import { existsSync } from 'node:fs';
import type { CatalogChange } from '@topup-kit/core/engine';
import type { Catalog, Store } from '@topup-kit/core/store';
import type { CommandContext } from '../../context.ts';
import { defineCommand } from '../../define-command.ts';
import { quotaError } from '../../errors/from-engine.ts';
import { confirm, dryRunOption, yesOption } from '../../input/prompts.ts';
import { chooseStoreFile, storeOption, withStore } from '../../store/open.ts';
import { diffScreen, diffSummary } from './diff.ts';
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

interface Import {
  file: string;
  changes: CatalogChange[];
  dryRun: boolean;
  path: string;
  /** Whether the store is new. */
  isNew: boolean;
}

function summary({ changes, path, dryRun, isNew }: Import): string {
  if (changes.length === 0) return `No difference to ${path}.`;
  const words = dryRun ? 'Nothing was changed. An import would make' : 'Imported:';
  return `\n${words} ${diffSummary(changes)} in${isNew ? ' the new store' : ''}\n${path}.`;
}

async function printImport(context: CommandContext, done: Import): Promise<void> {
  const { file, dryRun, changes } = done;
  const document = { file, dry_run: dryRun, changes };
  await context.print({ document, screen: (style) => diffScreen(changes, style) });
  context.remark(summary(done));
}

export const importCatalog = defineCommand({
  name: 'import',
  description: "Replace the store's catalogue with a catalogue file",
  build: (command) =>
    command
      .argument('<file>', 'the catalogue file')
      .option(...yesOption)
      .option(...dryRunOption)
      .option(...storeOption),
  example: 'catalog import catalog.json --dry-run',
  async run(context, options, file) {
    const { diffCatalogs } = await import('@topup-kit/core/engine');
    const catalog = await readCatalog(file);
    const dryRun = options.dryRun === true;
    const { path } = await chooseStoreFile(context, options);
    // A dry run must not create the store.
    if (dryRun && !existsSync(path)) {
      const changes = diffCatalogs(null, catalog);
      return printImport(context, { file, changes, dryRun, path, isNew: true });
    }
    await withStore(context, { ...options, mayCreate: !dryRun }, async ({ store, isNew }) => {
      const before = await store.readCatalog();
      const changes = diffCatalogs(before, catalog);
      await checkQuotas(store, catalog);
      if (!dryRun) {
        const consequence = `An import replaces the catalogue of ${path}: ${diffSummary(changes)}.`;
        if (before && changes.length > 0) await confirm(context, { yes: options.yes, consequence });
        await replace(store, catalog);
      }
      await printImport(context, { file, changes, dryRun, path, isNew });
    });
  },
});
