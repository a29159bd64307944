import { basename } from 'node:path';
import type { Store } from '@topup-kit/core/store';
import { defineCommand } from '../../define-command.ts';
import { CliError, usageError } from '../../errors/cli-error.ts';
import { operatorName, operatorOption, systemUser } from '../../input/operator.ts';
import { type Io, programName } from '../../io.ts';
import { withProgress } from '../../output/progress.ts';
import { factList } from '../../output/table.ts';
import { printable } from '../../output/text.ts';
import { chooseStoreFile, storeOption } from '../../store/open.ts';
import {
  copyWords,
  factLines,
  factsDocument,
  fileSize,
  onStoreFile,
  type StoreFileHints,
} from './store-file.ts';

const hintsFor = (io: Io): StoreFileHints => ({
  missing: 'Name the store with --store or TOPUP_STORE.',
  no_folder: 'Create the folder, or name a file in another folder.',
  exists: 'Use another file, or replace it with --force.',
  in_use: 'Use another file for the backup.',
  unfinished: 'Use another file for the backup.',
  own_file: 'Use another file for the backup.',
  damaged: `Stop the server, and put the last good backup in its place:\n  ${programName(io)} restore <backup>`,
});

/** Returns the operator's name. An invalid variable must not stop a nightly backup, which needs no operator. */
function operatorOf(io: Io, given: string | undefined): string {
  try {
    return operatorName(io, given);
  } catch (error) {
    if (given !== undefined || !(error instanceof CliError)) throw error;
    const name = systemUser();
    io.stderr.write(`${error.message} The activity names ${printable(name)} for this backup.\n`);
    return name;
  }
}

/** Records the backup in the store. Returns the reason if this fails, such as an earlier format or a read-only user; otherwise null. */
async function note(path: string, made: Parameters<Store['noteBackup']>[0]): Promise<string | null> {
  const { openStore } = await import('@topup-kit/server/internal');
  try {
    const store = openStore({ kind: 'file', path });
    try {
      await store.noteBackup(made);
    } finally {
      await store.close();
    }
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

export const noun = defineCommand({
  build: (command) =>
    command
      .argument('<file>', 'the file to write')
      .option(...storeOption)
      .option('--force', 'replace an existing file')
      .option(...operatorOption),
  help: `The server can keep running: the backup has every order that the server
confirmed before. The file is verified, and appears only when it is complete. It contains
all data of the store, including key hashes, so protect it like the store.`,
  example: 'backup topup-friday.db',
  async run(context, options, file) {
    const { io } = context;
    if (file === '' || file.endsWith('/')) throw usageError('backup needs the name of the file to write.');
    const operator = operatorOf(io, options.operator);
    const path = await chooseStoreFile(context, options);
    const at = Date.now();
    const backup = await onStoreFile(io, hintsFor(io), async () => {
      const { backUpStore } = await import('@topup-kit/server/internal');
      return withProgress(context, 'Backing up', (report) =>
        backUpStore(path, file, {
          force: options.force,
          signal: io.signal,
          onProgress: (progress) => report(copyWords(progress)),
        }),
      );
    });
    const unrecorded = await note(path, { at, operator, file: basename(file) });
    await context.print({
      document: {
        file,
        store: path,
        bytes: backup.bytes,
        recorded: unrecorded === null,
        ...factsDocument(backup),
      },
      ids: [file],
      screen: factList([['File', file], ['Size', fileSize(backup.bytes)], ...factLines(backup)]),
    });
    context.remark(`\nBacked up and verified: ${printable(path)}.`);
    if (unrecorded !== null)
      io.stderr.write(
        `The store could not record this backup, so \`topup doctor\` and the console do not count it: ${printable(unrecorded)}\n`,
      );
  },
});
