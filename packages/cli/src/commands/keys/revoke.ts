import type { Command } from 'commander';
import { addExample, programName } from '../../command-line.ts';
import { exitCodes } from '../../errors/exit-codes.ts';
import { Problem } from '../../errors/problem.ts';
import type { Io } from '../../io.ts';
import { print } from '../../output/print.ts';
import { printable } from '../../output/printable.ts';
import { readableTime } from '../../output/times.ts';
import { type StoreOptions, storeOption, withStore } from '../../store.ts';
import type { Define } from '../define.ts';
import { keyDocument } from './key-document.ts';

const missing = (keyId: string, path: string, io: Io): Problem =>
  new Problem(`There is no key ${keyId} in ${path}.`, {
    code: 'KEY_NOT_FOUND',
    exitCode: exitCodes.notFound,
    hint: `\`${programName(io)} keys list\` lists them; a key is named by its id, key_..., not by itself.`,
  });

const revokeKey = (keyId: string, options: StoreOptions, io: Io, command: Command): Promise<void> =>
  withStore(io, { ...options, mayCreate: false }, async ({ store, path }) => {
    await store.revokeKey(keyId, Date.now());
    // A key that was revoked before keeps its first time.
    const key = (await store.listKeys()).find((stored) => stored.keyId === keyId);
    if (!key?.revokedAt) throw missing(keyId, path, io);
    const revoked = readableTime(key.revokedAt);
    await print(
      io,
      command,
      keyDocument(key),
      () => `${keyId} (${printable(key.name)}) is revoked since ${revoked}.\n`,
    );
  });

export const defineRevoke: Define = (keys, io) => {
  const revoke = keys
    .command('revoke')
    .description('End a key for good')
    .argument('<key-id>', 'id of the key, such as key_0a1b2c3d4e')
    .option(...storeOption)
    .action((keyId: string, options: StoreOptions, command: Command) =>
      revokeKey(keyId, options, io, command),
    );
  addExample(revoke, io, 'keys revoke key_0a1b2c3d4e');
};
