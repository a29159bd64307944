import type { GenerateCatalogOptions } from '@topup-kit/mock/catalog';
import { type Command, Option } from 'commander';
import { type CommandContext, contextOf } from '../../context.ts';
import { addExample, type Define } from '../../define-command.ts';
import { usageProblem } from '../../errors/cli-error.ts';
import { wholeNumber } from '../../input/arguments.ts';
import { jsonDocument } from '../../output/print.ts';
import { printable } from '../../output/text.ts';
import { countsOf, countWords } from './counts.ts';
import { writeNewFile } from './write-file.ts';

interface Options extends GenerateCatalogOptions {
  out?: string;
  force?: true;
}

async function generated(options: GenerateCatalogOptions) {
  const { generateCatalog } = await import('@topup-kit/mock/catalog');
  try {
    return generateCatalog(options);
  } catch (error) {
    if (error instanceof RangeError) throw usageProblem(`--${error.message}.`);
    throw error;
  }
}

async function generate({ out, force, ...options }: Options, context: CommandContext): Promise<void> {
  const catalog = await generated(options);
  if (out === undefined) return context.print({ document: catalog, screen: () => jsonDocument(catalog) });
  await writeNewFile(out, jsonDocument(catalog), force === true);
  const screen = (): string => `Wrote ${countWords(catalog)}\nto ${printable(out)}.\n`;
  await context.print({ document: { file: out, ...countsOf(catalog) }, screen });
}

export const defineGenerate: Define = (catalog, io) => {
  const command = catalog
    .command('generate')
    .description('Make up a believable catalogue, for tests and demonstrations')
    .option('--games <number>', 'how many games, up to 10,000; 50 when left out', wholeNumber)
    .option('--products <number>', 'products of each game, up to 50; 4 to 12 when left out', wholeNumber)
    .option('--seed <number>', 'same seed, same catalogue; 1 when left out', wholeNumber)
    .addOption(new Option('--locale <locale>', 'language of texts; id when left out').choices(['id', 'en']))
    .option('--out <file>', 'a new file to write; stdout when left out')
    .option('--force', 'overwrite the file if there is one')
    .action((options: Options, self: Command) => generate(options, contextOf(io, self)));
  addExample(command, io, 'catalog generate --games 200 --out catalog.json');
};
