import { Option } from '@commander-js/extra-typings';
import type { GenerateCatalogOptions } from '@topup-kit/mock/catalog';
import { defineCommand, defineGroup } from '../../define-command.ts';
import { usageError } from '../../errors/cli-error.ts';
import { wholeNumber } from '../../input/arguments.ts';
import { jsonDocument } from '../../output/print.ts';
import { add } from './add.ts';
import { diffCatalog } from './diff.ts';
import { checkCatalog, exportCatalog, writeNewFile, written } from './files.ts';
import { history, undo } from './history.ts';
import { importCatalog } from './import.ts';
import { listCatalog } from './list.ts';
import { margin } from './margins.ts';
import { close, lock, open, setPriceCommand, unlock } from './prices.ts';
import { sync } from './sync.ts';

async function generated(options: GenerateCatalogOptions) {
  const { generateCatalog } = await import('@topup-kit/mock/catalog');
  try {
    return generateCatalog(options);
  } catch (error) {
    if (error instanceof RangeError) throw usageError(`--${error.message}.`);
    throw error;
  }
}

const generate = defineCommand({
  name: 'generate',
  description: 'Generate a realistic catalogue, for tests and demonstrations',
  build: (command) =>
    command
      .option('--games <number>', 'number of games, up to 10,000; default: 50', wholeNumber)
      .option('--products <number>', 'products of each game, up to 50; default: 4 to 12', wholeNumber)
      .option('--seed <number>', 'the same seed gives the same catalogue; default: 1', wholeNumber)
      .addOption(
        new Option('--locale <locale>', 'language of the texts; default: id').choices(['id', 'en'] as const),
      )
      .option('--out <file>', 'file to write; default: stdout')
      .option('--force', 'overwrite an existing file'),
  example: 'catalog generate --games 200 --out catalog.json',
  async run(context, { out, force, ...options }) {
    const catalog = await generated(options);
    if (out === undefined) return context.print({ document: catalog, screen: () => jsonDocument(catalog) });
    await writeNewFile(out, jsonDocument(catalog), force === true);
    await context.print(written(catalog, out));
  },
});

export const noun = defineGroup(
  `These commands work on the store itself; check and generate need no store. A
catalogue file has no effect until it is imported. A running server picks up the
change within a second.`,
  [
    ...[checkCatalog, diffCatalog, importCatalog, exportCatalog, generate],
    ...[listCatalog, sync, margin, add, setPriceCommand, lock, unlock, close, open, history, undo],
  ],
);
