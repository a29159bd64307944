import { randomBytes } from 'node:crypto';
import { existsSync, realpathSync, type Stats } from 'node:fs';
import { chmod, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import type { CatalogProblem } from '@topup-kit/core/engine';
import type { Catalog } from '@topup-kit/core/store';
import { defineCommand } from '../../define-command.ts';
import { CliError, exitCodes, reasonOf, usageError } from '../../errors/cli-error.ts';
import { parseFile } from '../../input/json-file.ts';
import { counted } from '../../output/format.ts';
import { jsonDocument } from '../../output/print.ts';
import { printable } from '../../output/text.ts';
import { noCatalog, storeOption, withStore } from '../../store/open.ts';

/** Groups all broken rules by their place in the file. */
const rulesByPath = (problems: readonly CatalogProblem[]): Record<string, string[]> =>
  Object.fromEntries(
    [...Map.groupBy(problems, ({ path }) => path || '(file)')].map(([path, rules]) => [
      path,
      rules.map(({ rule }) => rule),
    ]),
  );

/** Reads a catalogue file. The error lists every problem. */
export async function readCatalog(file: string): Promise<Catalog> {
  const { readCatalogFile } = await import('@topup-kit/core/engine');
  const read = readCatalogFile(await parseFile(file, readFile(file, 'utf8'), 'CATALOG_FILE'));
  if ('catalog' in read) return read.catalog;
  const { length } = read.problems;
  throw new CliError(`${file} breaks ${length === 1 ? 'a rule' : `${length} rules`} of catalogues.`, {
    code: 'INVALID_CATALOG',
    exitCode: exitCodes.failure,
    fields: rulesByPath(read.problems),
  });
}

const unwritable = (message: string, hint?: string, cause?: unknown): CliError =>
  new CliError(message, { code: 'FILE', exitCode: exitCodes.failure, hint, cause });

const fileExists = (file: string): CliError =>
  new CliError(`${file} already exists.`, {
    code: 'FILE_EXISTS',
    exitCode: exitCodes.rejected,
    hint: 'Use another file, or overwrite it with --force.',
  });

/** Rejects an existing file without `force`. Rejects a store or a device even with `force`. */
async function checkOverwrite(file: string, force: boolean): Promise<Stats | undefined> {
  if (!existsSync(file)) return undefined;
  if (!force) throw fileExists(file);
  const hint = 'Nothing was written. Use another file.';
  const there = await stat(file);
  if (!there.isFile()) throw unwritable(`${file} is not a regular file.`, hint);
  const { isPartOfStore } = await import('@topup-kit/server/internal');
  if (isPartOfStore(file)) throw unwritable(`${file} is a store, or one of a store's files.`, hint);
  return there;
}

/** Writes a temporary file and renames it, so that readers never see an incomplete file. */
async function writeBeside(file: string, text: string, force: boolean): Promise<void> {
  const there = await checkOverwrite(file, force);
  const place = there ? realpathSync(file) : file;
  const part = `${place}.${randomBytes(4).toString('hex')}.part`;
  try {
    await writeFile(part, text, { flag: 'wx', flush: true });
    if (there) await chmod(part, there.mode & 0o777);
    // Another process may have created the file in the meantime.
    await checkOverwrite(file, force);
    await rename(part, place);
  } finally {
    await rm(part, { force: true });
  }
}

/** Writes a file. Replaces an existing file only with `force`. */
export async function writeNewFile(file: string, text: string, force: boolean): Promise<void> {
  if (file === '' || file.endsWith('/')) throw usageError('Give the name of the file to write.');
  try {
    await writeBeside(file, text, force);
  } catch (error) {
    if (error instanceof CliError) throw error;
    throw unwritable(`${file} can't be written: ${reasonOf(error)}.`, undefined, error);
  }
}

const countsOf = ({ categories, games, payment_methods, promos }: Catalog) => ({
  categories: categories.length,
  games: games.length,
  products: games.reduce((sum, { products }) => sum + products.length, 0),
  payment_methods: payment_methods.length,
  promos: promos.length,
});

function countWords(catalog: Catalog): string {
  const { categories, games, products, payment_methods, promos } = countsOf(catalog);
  return [
    counted(categories, 'category', 'categories'),
    counted(games, 'game'),
    counted(products, 'product'),
    counted(payment_methods, 'payment method'),
    counted(promos, 'promo'),
  ].join(', ');
}

/** Creates the result of writing a catalogue to a file. */
export const written = (catalog: Catalog, file: string) => ({
  document: { file, ...countsOf(catalog) },
  screen: () => `Wrote ${countWords(catalog)}\nto ${printable(file)}.\n`,
});

export const checkCatalog = defineCommand({
  name: 'check',
  description: 'Check a catalogue file, and list the rules it breaks',
  build: (command) => command.argument('<file>', 'the catalogue file'),
  example: 'catalog check catalog.json',
  async run(context, _options, file) {
    const catalog = await readCatalog(file);
    await context.print({
      document: { file, valid: true, ...countsOf(catalog) },
      screen: () => `${printable(file)} is valid: ${countWords(catalog)}.\n`,
    });
  },
});

/** Converts the catalogue to the field order of the file format. */
export async function catalogFile(catalog: Catalog): Promise<object> {
  const { readCatalogFile } = await import('@topup-kit/core/engine');
  const format = 'topup-kit/catalog@1';
  const read = readCatalogFile({ format, ...catalog });
  return { format, ...('catalog' in read ? read.catalog : catalog) };
}

export const exportCatalog = defineCommand({
  name: 'export',
  description: "Write the store's catalogue to stdout, or to a new file",
  build: (command) =>
    command
      .argument('[file]', 'the file to write')
      .option('--force', 'overwrite an existing file')
      .option(...storeOption),
  example: 'catalog export catalog.json',
  async run(context, options, file) {
    await withStore(context, { ...options, mayCreate: false }, async ({ store, path }) => {
      const catalog = await store.readCatalog();
      if (!catalog) throw noCatalog(path, context.io);
      const document = await catalogFile(catalog);
      if (file === undefined) return context.print({ document, screen: () => jsonDocument(document) });
      await writeNewFile(file, jsonDocument(document), options.force === true);
      await context.print(written(catalog, file));
    });
  },
});
