import type { BackupFacts } from '@topup-kit/server';
import type { Command } from 'commander';
import { type CommandContext, contextOf } from '../../context.ts';
import { addExample, type Define } from '../../define-command.ts';
import { usageProblem } from '../../errors/cli-error.ts';
import { type Io, programName } from '../../io.ts';
import { withProgress } from '../../output/progress.ts';
import { list } from '../../output/table.ts';
import { printable } from '../../output/text.ts';
import { chooseStoreFile, type StoreOptions, storeOption } from '../../store/open.ts';
import { copyWords } from './copy-words.ts';
import { factLines, factsDocument } from './facts.ts';
import { fileSize } from './file-size.ts';
import { onStoreFile, type StoreFileHints } from './on-store-file.ts';

interface Options extends StoreOptions {
  force?: true;
}

const hintsFor = (io: Io): StoreFileHints => ({
  missing: 'Name the store with --store or TOPUP_STORE.',
  no_folder: 'Make it, or name a file in another.',
  exists: 'Name another file, or replace it with --force.',
  in_use: 'Name another file for the backup.',
  unfinished: 'Name another file for the backup.',
  own_file: 'Name another file for the backup.',
  damaged: `Stop the server, and put the last good backup in its place:\n  ${programName(io)} restore <backup>`,
});

const makeBackup = (file: string, path: string, { force }: Options, context: CommandContext) =>
  onStoreFile(context.io, hintsFor(context.io), async (): Promise<BackupFacts> => {
    const { backUpStore } = await import('@topup-kit/server');
    return withProgress(context, 'Backing up', (tell) =>
      backUpStore(path, file, {
        force,
        signal: context.io.signal,
        onProgress: (progress) => tell(copyWords(progress)),
      }),
    );
  });

async function backUp(file: string, options: Options, context: CommandContext): Promise<void> {
  if (file === '' || file.endsWith('/')) throw usageProblem('backup takes the name of the file to make.');
  const { path } = await chooseStoreFile(context, options);
  const facts = await makeBackup(file, path, options, context);
  await context.print({
    document: { file, store: path, bytes: facts.bytes, ...factsDocument(facts) },
    ids: [file],
    screen: (look) => list([['File', file], ['Size', fileSize(facts.bytes)], ...factLines(facts)], look),
  });
  context.remark(`\nBacked up and verified: ${printable(path)}.`);
}

export const defineBackup: Define = (backup, io) => {
  backup
    .argument('<file>', 'the file to make')
    .option(...storeOption)
    .option('--force', 'replace the file if it is there')
    .addHelpText(
      'after',
      `
A server may go on meanwhile: every order that it answered before is in the
backup. The file is verified, and appears only when it is whole. It holds all
that the store holds, the hashes of the keys too: keep it as safe.`,
    )
    .action((file: string, options: Options, command: Command) =>
      backUp(file, options, contextOf(io, command)),
    );
  addExample(backup, io, 'backup topup-friday.db');
};
