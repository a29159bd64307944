import type { Catalog } from '@topup-kit/core/store';
import { type Command, Option } from 'commander';
import { type CommandContext, contextOf } from '../../context.ts';
import { addExample, type Define } from '../../define-command.ts';
import { jsonDocument } from '../../output/print.ts';
import { printable } from '../../output/text.ts';
import { noCatalog, onStore, type StoreOptions, withStore } from '../../store/open.ts';
import { countsOf, countWords } from './counts.ts';
import { writeNewFile } from './write-file.ts';

interface Options extends StoreOptions {
  force?: true;
}

/** The catalogue as a file; read as one, its fields come in the order of the format, whoever wrote it. */
async function catalogFile(catalog: Catalog): Promise<object> {
  const { readCatalogFile } = await import('@topup-kit/core/engine');
  const format = 'topup-kit/catalog@1';
  const read = readCatalogFile({ format, ...catalog });
  return { format, ...('catalog' in read ? read.catalog : catalog) };
}

const exportCatalog = (file: string | undefined, options: Options, context: CommandContext): Promise<void> =>
  withStore(context, { ...options, mayCreate: false }, async ({ store, path }) => {
    const catalog = await store.readCatalog();
    if (!catalog) throw noCatalog(path, context.io);
    const document = await catalogFile(catalog);
    if (file === undefined) return context.print({ document, screen: () => jsonDocument(document) });
    await writeNewFile(file, jsonDocument(document), options.force === true);
    const screen = (): string => `Wrote ${countWords(catalog)}\nto ${printable(file)}.\n`;
    await context.print({ document: { file, ...countsOf(catalog) }, screen });
  });

export const defineExport: Define = (catalog, io) => {
  const command = catalog
    .command('export')
    .description("Write the store's catalogue to stdout, or to a new file")
    .argument('[file]', 'the file to write')
    .addOption(new Option('--force', 'overwrite the file if there is one'))
    .action((file: string | undefined, options: Options, self: Command) =>
      exportCatalog(file, options, contextOf(io, self)),
    );
  addExample(onStore(command), io, 'catalog export catalog.json');
};
