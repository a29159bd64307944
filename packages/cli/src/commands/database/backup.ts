import { basename } from 'node:path';
import type { Store } from '@topup-kit/core/store';
import { defineCommand } from '../../define-command.ts';
import { usageError } from '../../errors/cli-error.ts';
import { operatorName, operatorOption } from '../../input/operator.ts';
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
  no_folder: 'Make it, or name a file in another.',
  exists: 'Use another file, or replace it with --force.',
  in_use: 'Use another file for the backup.',
  unfinished: 'Use another file for the backup.',
  own_file: 'Use another file for the backup.',
  damaged: `Stop the server, and put the last good backup in its place:\n  ${programName(io)} restore <backup>`,
});

/** Whether the store recorded its backup; not one of an earlier format, or that this user may only read. */
async function note(path: string, made: Parameters<Store['noteBackup']>[0]): Promise<boolean> {
  const { openStore, StoreFileError } = await import('@topup-kit/server/internal');
  try {
    const store = openStore({ kind: 'file', path });
    try {
      await store.noteBackup(made);
    } finally {
      await store.close();
    }
    return true;
  } catch (error) {
    if (error instanceof StoreFileError) return false;
    throw error;
  }
}

export const noun = defineCommand({
  build: (command) =>
    command
      .argument('<file>', 'the file to write')
      .option(...storeOption)
      .option('--force', 'replace an existing file')
      .option(...operatorOption),
  help: `The server can keep running: the backup has every order that it confirmed
before. The file is verified, and appears only when it is complete. It contains
all data of the store, including key hashes, so protect it like the store.`,
  example: 'backup topup-friday.db',
  async run(context, options, file) {
    const { io } = context;
    if (file === '' || file.endsWith('/')) throw usageError('backup needs the name of the file to write.');
    const operator = operatorName(io, options.operator);
    const path = await chooseStoreFile(context, options);
    const at = Date.now();
    const facts = await onStoreFile(io, hintsFor(io), async () => {
      const { backUpStore } = await import('@topup-kit/server/internal');
      return withProgress(context, 'Backing up', (report) =>
        backUpStore(path, file, {
          force: options.force,
          signal: io.signal,
          onProgress: (progress) => report(copyWords(progress)),
        }),
      );
    });
    await context.print({
      document: { file, store: path, bytes: facts.bytes, ...factsDocument(facts) },
      ids: [file],
      screen: factList([['File', file], ['Size', fileSize(facts.bytes)], ...factLines(facts)]),
    });
    context.remark(`\nBacked up and verified: ${printable(path)}.`);
    if (!(await note(path, { at, operator, file: basename(file) })))
      context.remark(
        'The store could not record it, so `topup doctor` and the console do not count this backup.',
      );
  },
});
