import type { Command } from 'commander';
import { type CommandContext, contextOf } from '../../context.ts';
import { addExample, type Define } from '../../define-command.ts';
import { printable } from '../../output/text.ts';
import { countsOf, countWords } from './counts.ts';
import { readCatalog } from './read-file.ts';

async function check(file: string, context: CommandContext): Promise<void> {
  const catalog = await readCatalog(file);
  const document = { file, valid: true, ...countsOf(catalog) };
  await context.print({
    document,
    screen: () => `${printable(file)} is valid: ${countWords(catalog)}.\n`,
  });
}

export const defineCheck: Define = (catalog, io) => {
  const command = catalog
    .command('check')
    .description('Say whether a catalogue file is valid, or which rules it breaks')
    .argument('<file>', 'the catalogue file')
    .action((file: string, _options: object, self: Command) => check(file, contextOf(io, self)));
  addExample(command, io, 'catalog check catalog.json');
};
