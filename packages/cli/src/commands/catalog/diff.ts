import type { Command } from 'commander';
import { type CommandContext, contextOf } from '../../context.ts';
import { addExample, type Define } from '../../define-command.ts';
import { exitCodes, Problem, QuietExit } from '../../errors/cli-error.ts';
import { failureProblem } from '../../errors/usage.ts';
import { onStore, type StoreOptions, withStore } from '../../store/open.ts';
import { diffScreen, diffSummary } from './diff-screen.ts';
import { readCatalog } from './read-file.ts';

/** Compares and tells; the number of differences. */
async function compare(file: string, options: StoreOptions, context: CommandContext): Promise<number> {
  const { diffCatalogs } = await import('@topup-kit/core/engine');
  const catalog = await readCatalog(file);
  let count = 0;
  await withStore(context, { ...options, mayCreate: false }, async ({ store, path }) => {
    const changes = diffCatalogs(await store.readCatalog(), catalog);
    count = changes.length;
    await context.print({
      document: { file, changes },
      screen: (look) => diffScreen(changes, look),
    });
    const words = count === 0 ? 'No difference to ' : `\nAn import would mean ${diffSummary(changes)} in\n`;
    context.remark(`${words}${path}.`);
  });
  return count;
}

/** As with `diff`, an exit code of 1 says that there are differences, so trouble needs another. */
function asTrouble(error: unknown): Problem {
  const problem = failureProblem(error);
  const { exitCode } = problem.details;
  if (exitCode !== exitCodes.failure) return problem;
  return new Problem(problem.message, { ...problem.details, exitCode: exitCodes.usage });
}

async function diff(file: string, options: StoreOptions, context: CommandContext): Promise<void> {
  const count = await compare(file, options, context).catch((error: unknown) => {
    throw asTrouble(error);
  });
  if (count > 0) throw new QuietExit(exitCodes.failure);
}

export const defineDiff: Define = (catalog, io) => {
  const command = catalog
    .command('diff')
    .description('Show what an import of a catalogue file would change')
    .argument('<file>', 'the catalogue file')
    .action((file: string, options: StoreOptions, self: Command) => diff(file, options, contextOf(io, self)))
    .addHelpText(
      'after',
      '\nExits with 0 when nothing would change, 1 when something would, else on trouble.',
    );
  addExample(onStore(command), io, 'catalog diff catalog.json');
};
