import type { CopyOptions } from '@topup-kit/server';
import type { Command } from 'commander';
import { type CommandContext, contextOf } from '../../context.ts';
import { addExample, type Define } from '../../define-command.ts';
import { confirm, dryRunOption, yesOption } from '../../input/prompts.ts';
import { withProgress } from '../../output/progress.ts';
import { lookOf } from '../../output/style.ts';
import { list } from '../../output/table.ts';
import { printable } from '../../output/text.ts';
import { chooseStoreFile, type StoreOptions, storeOption } from '../../store/open.ts';
import { copyWords } from '../backup/copy-words.ts';
import { factLines } from '../backup/facts.ts';
import { onStoreFile } from '../backup/on-store-file.ts';
import { comparison, consequence, type Plan, restoreDocument, warnings } from './comparison.ts';
import { readPresent } from './present.ts';

interface Options extends StoreOptions {
  yes?: true;
  dryRun?: true;
}

/** What a restore works on. */
interface Files {
  file: string;
  path: string;
}

const hints = {
  missing: 'Check the name of the backup.',
  damaged: 'Nothing was changed. Use another backup.',
  own_file: 'Nothing was changed. Name a backup, and with --store the store that it is to replace.',
  unfinished: 'Nothing was changed. A backup of it can be restored: see `topup backup --help`.',
  not_a_store: 'Nothing was changed. Check the names of the backup and of the store.',
  served_already: 'Nothing was changed. Stop the server, restore, and start it again.',
} as const;

/** Work on the backup with all that the server package knows, its progress shown. */
const withBackup = <Value>(
  context: CommandContext,
  words: string,
  work: (server: typeof import('@topup-kit/server'), options: CopyOptions) => Promise<Value>,
): Promise<Value> =>
  onStoreFile(context.io, hints, async () => {
    const server = await import('@topup-kit/server');
    return withProgress(context, words, (tell) =>
      work(server, { signal: context.io.signal, onProgress: (progress) => tell(copyWords(progress)) }),
    );
  });

const makePlan = ({ file, path }: Files, context: CommandContext): Promise<Plan> =>
  withBackup(context, 'Verifying', async ({ verifyBackup }, options) => ({
    file,
    path,
    backup: await verifyBackup(file, options),
    present: await readPresent(path),
  }));

async function tellOnly(files: Files, context: CommandContext): Promise<void> {
  const plan = await makePlan(files, context);
  await context.print({
    document: { ...restoreDocument(plan), dry_run: true, kept_at: null },
    screen: (look) => comparison(plan, look),
  });
  const { findServer } = await import('@topup-kit/server');
  const server = findServer(files.path);
  context.remark(
    [
      '\nThe backup is whole. Nothing was changed.',
      ...warnings(plan),
      ...(server ? [`A server (pid ${server.pid}) serves the store: stop it before you restore.`] : []),
    ].join('\n'),
  );
}

/** Where somebody can be asked, the answer is easier with both before one's eyes. */
async function makeSure(files: Files, context: CommandContext): Promise<void> {
  await withBackup(context, 'Looking', async ({ refuseServed }) => refuseServed(files.path));
  const plan = await makePlan(files, context);
  if (context.promptTerminal) {
    context.io.stderr.write(`${comparison(plan, lookOf(context.io, context.io.stderr))}\n`);
    for (const warning of warnings(plan)) context.io.stderr.write(`${warning}\n`);
  }
  await confirm(context, { yes: undefined, consequence: consequence(plan) });
}

async function replaceStore(files: Files, context: CommandContext): Promise<void> {
  const { file, path } = files;
  const present = await onStoreFile(context.io, hints, () => readPresent(path));
  const { former, ...backup } = await withBackup(context, 'Restoring', ({ restoreStore }, options) =>
    restoreStore(file, path, options),
  );
  await context.print({
    document: { ...restoreDocument({ file, path, present, backup }), dry_run: false, kept_at: former },
    ids: [path],
    screen: (look) => list([['Store', path], ...factLines(backup), ['Kept', former]], look),
  });
  context.remark(`\nRestored from ${printable(file)}.${former === null ? '' : keptWords}`);
}

const keptWords = ' The store that was there is kept, as\nabove; remove it when nothing is missing.';

async function restore(file: string, options: Options, context: CommandContext): Promise<void> {
  const { path } = await chooseStoreFile(context, options);
  const { refuseOwnFile } = await import('@topup-kit/server');
  await onStoreFile(context.io, hints, async () => refuseOwnFile(file, path));
  if (options.dryRun) return tellOnly({ file, path }, context);
  if (!options.yes) await makeSure({ file, path }, context);
  await replaceStore({ file, path }, context);
}

export const defineRestore: Define = (command, io) => {
  command
    .argument('<file>', 'the backup')
    .option(...storeOption)
    .option(...yesOption)
    .option(...dryRunOption)
    .addHelpText(
      'after',
      `
The server must be stopped. The backup is verified before anything is changed,
and the store that was there is kept beside the new one.`,
    )
    .action((file: string, options: Options, self: Command) => restore(file, options, contextOf(io, self)));
  addExample(command, io, 'restore topup-friday.db --dry-run');
};
