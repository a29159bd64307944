import { existsSync } from 'node:fs';
import type { CatalogChange } from '@topup-kit/core/engine';
import type { Catalog, Store } from '@topup-kit/core/store';
import type { Command } from 'commander';
import { type CommandContext, contextOf } from '../../context.ts';
import { addExample, type Define } from '../../define-command.ts';
import { quotaProblem } from '../../errors/from-engine.ts';
import { confirm, dryRunOption, yesOption } from '../../input/prompts.ts';
import { chooseStoreFile, onStore, type StoreOptions, withStore } from '../../store/open.ts';
import { diffScreen, diffSummary } from './diff-screen.ts';
import { readCatalog } from './read-file.ts';

interface Options extends StoreOptions {
  yes?: true;
  dryRun?: true;
}

/** Refuses what the store would refuse, before anybody is asked whether it is meant. */
async function checkQuotas(store: Store, { promos }: Catalog): Promise<void> {
  for (const { code, quota } of promos) {
    if (quota === null) continue;
    const { total } = await store.countPromoUses(code, '');
    if (total > quota) throw quotaProblem({ code, uses: total });
  }
}

async function replace(store: Store, catalog: Catalog): Promise<void> {
  const outcome = await store.replaceCatalog(catalog);
  if ('conflict' in outcome) throw quotaProblem(outcome);
}

interface Import {
  file: string;
  changes: CatalogChange[];
  dryRun: boolean;
  path: string;
  /** Whether there was no such store before. */
  isNew: boolean;
}

function summary({ changes, path, dryRun, isNew }: Import): string {
  if (changes.length === 0) return `No difference to ${path}.`;
  const words = dryRun ? 'Nothing was changed. An import would mean' : 'Imported:';
  return `\n${words} ${diffSummary(changes)} in${isNew ? ' the new store' : ''}\n${path}.`;
}

async function tell(done: Import, context: CommandContext): Promise<void> {
  const { file, dryRun, changes } = done;
  const document = { file, dry_run: dryRun, changes };
  await context.print({ document, screen: (look) => diffScreen(changes, look) });
  context.remark(summary(done));
}

async function importCatalog(file: string, options: Options, context: CommandContext): Promise<void> {
  const { diffCatalogs } = await import('@topup-kit/core/engine');
  const catalog = await readCatalog(file);
  const dryRun = options.dryRun === true;
  const { path } = await chooseStoreFile(context, options);
  // What would be made is not made to be looked at.
  if (dryRun && !existsSync(path))
    return tell({ file, changes: diffCatalogs(null, catalog), dryRun, path, isNew: true }, context);
  await withStore(context, { ...options, mayCreate: !dryRun }, async ({ store, isNew }) => {
    const before = await store.readCatalog();
    const changes = diffCatalogs(before, catalog);
    await checkQuotas(store, catalog);
    if (!dryRun) {
      const consequence = `An import replaces the catalogue of ${path}: ${diffSummary(changes)}.`;
      if (before && changes.length > 0) await confirm(context, { yes: options.yes, consequence });
      await replace(store, catalog);
    }
    await tell({ file, changes, dryRun, path, isNew }, context);
  });
}

export const defineImport: Define = (catalog, io) => {
  const command = catalog
    .command('import')
    .description("Put a catalogue file in force, in the place of all that the store's catalogue held")
    .argument('<file>', 'the catalogue file')
    .option(...yesOption)
    .option(...dryRunOption)
    .action((file: string, options: Options, self: Command) =>
      importCatalog(file, options, contextOf(io, self)),
    );
  addExample(onStore(command), io, 'catalog import catalog.json --dry-run');
};
