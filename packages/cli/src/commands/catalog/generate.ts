import { Option } from '@commander-js/extra-typings';
import type { GenerateCatalogOptions } from '@topup-kit/mock/catalog';
import { defineCommand } from '../../define-command.ts';
import { usageError } from '../../errors/cli-error.ts';
import { wholeNumber } from '../../input/arguments.ts';
import { jsonDocument } from '../../output/print.ts';
import { printable } from '../../output/text.ts';
import { countsOf, countWords, writeNewFile } from './files.ts';

async function generated(options: GenerateCatalogOptions) {
  const { generateCatalog } = await import('@topup-kit/mock/catalog');
  try {
    return generateCatalog(options);
  } catch (error) {
    if (error instanceof RangeError) throw usageError(`--${error.message}.`);
    throw error;
  }
}

export const generate = defineCommand({
  name: 'generate',
  description: 'Make up a believable catalogue, for tests and demonstrations',
  build: (command) =>
    command
      .option('--games <number>', 'how many games, up to 10,000; 50 when left out', wholeNumber)
      .option('--products <number>', 'products of each game, up to 50; 4 to 12 when left out', wholeNumber)
      .option('--seed <number>', 'same seed, same catalogue; 1 when left out', wholeNumber)
      .addOption(
        new Option('--locale <locale>', 'language of texts; id when left out').choices(['id', 'en'] as const),
      )
      .option('--out <file>', 'a new file to write; stdout when left out')
      .option('--force', 'overwrite the file if there is one'),
  example: 'catalog generate --games 200 --out catalog.json',
  async run(context, { out, force, ...options }) {
    const catalog = await generated(options);
    if (out === undefined) return context.print({ document: catalog, screen: () => jsonDocument(catalog) });
    await writeNewFile(out, jsonDocument(catalog), force === true);
    await context.print({
      document: { file: out, ...countsOf(catalog) },
      screen: () => `Wrote ${countWords(catalog)}\nto ${printable(out)}.\n`,
    });
  },
});
