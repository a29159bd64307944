import type { CheckDepth, Inspection } from '@topup-kit/server';
import type { Command } from 'commander';
import { type CommandContext, contextOf } from '../../context.ts';
import { addExample, type Define } from '../../define-command.ts';
import { withProgress } from '../../output/progress.ts';
import { chooseStoreFile, onSameStore, type StoreOptions, storeOption } from '../../store/open.ts';
import { onStoreFile } from '../backup/on-store-file.ts';
import { advice } from './advice.ts';
import { statusDocument } from './status-document.ts';
import { statusScreen } from './status-screen.ts';

interface Options extends StoreOptions {
  check?: true;
}

type CommandLine = (args: string) => string;

const hintsFor = (topup: CommandLine) => ({
  missing: 'Name another with --store or TOPUP_STORE.',
  damaged: `Stop the server, keep a copy of the file and of those beside it, and put the last\ngood backup in its place:\n  ${topup('restore <backup>')}`,
});

const inspect = (path: string, check: CheckDepth, topup: CommandLine, context: CommandContext) =>
  onStoreFile(context.io, hintsFor(topup), async (): Promise<Inspection> => {
    const { inspectStore } = await import('@topup-kit/server');
    return withProgress(context, 'Looking at the store', () =>
      inspectStore(path, { check, signal: context.io.signal }),
    );
  });

async function showStatus(options: Options, context: CommandContext): Promise<void> {
  const { path } = await chooseStoreFile(context, options);
  const topup = onSameStore(context, options);
  const check = options.check ? 'full' : 'quick';
  const store = await inspect(path, check, topup, context);
  await context.print({
    document: statusDocument(path, store, check),
    screen: (look) => statusScreen(path, store, check, look),
  });
  const lines = advice(store, topup);
  if (lines.length > 0) context.remark(`\n${lines.join('\n')}`);
}

export const defineStatus: Define = (db, io) => {
  const status = db
    .command('status')
    .description('Show how the file is, what it holds, and what waits; exits with 1 when it is damaged')
    .option('--check', 'look harder for damage, which takes longer')
    .option(...storeOption)
    .action((options: Options, command: Command) => showStatus(options, contextOf(io, command)));
  addExample(status, io, 'db status --check');
};
