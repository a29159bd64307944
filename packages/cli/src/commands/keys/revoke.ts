import type { Store, StoredKey } from '@topup-kit/core/store';
import type { Command } from 'commander';
import { addExample, programName } from '../../command-line.ts';
import { exitCodes } from '../../errors/exit-codes.ts';
import { Problem } from '../../errors/problem.ts';
import { confirm, dryRunOption, yesOption } from '../../input/confirm.ts';
import type { Io } from '../../io.ts';
import { print } from '../../output/print.ts';
import { printable } from '../../output/printable.ts';
import { readableTime } from '../../output/times.ts';
import { withoutKeys } from '../../settings/masked-key.ts';
import { type StoreOptions, storeOption, withStore } from '../../store.ts';
import type { Define } from '../define.ts';
import { keyDocument } from './key-document.ts';

const missing = (keyId: string, path: string, io: Io): Problem =>
  new Problem(`There is no key ${withoutKeys(keyId)} in ${path}.`, {
    code: 'KEY_NOT_FOUND',
    exitCode: exitCodes.notFound,
    hint: `\`${programName(io)} keys list\` lists them; a key is named by its id, key_..., not by itself.`,
  });

interface Options extends StoreOptions {
  yes?: true;
  dryRun?: true;
}

async function findKey(store: Store, keyId: string): Promise<StoredKey | undefined> {
  return (await store.listKeys()).find((key) => key.keyId === keyId);
}

function revokedScreen({ keyId, name, revokedAt }: StoredKey): string {
  const key = `${keyId} (${printable(name)})`;
  if (revokedAt === null) return `Nothing was changed. ${key} would be revoked.\n`;
  return `${key} is revoked since ${readableTime(revokedAt)}.\n`;
}

const revokeKey = (keyId: string, options: Options, io: Io, command: Command): Promise<void> =>
  withStore(io, command, { ...options, mayCreate: false }, async ({ store, path }) => {
    const before = await findKey(store, keyId);
    if (!before) throw missing(keyId, path, io);
    // A key that was revoked before keeps its first time.
    if (before.revokedAt === null && !options.dryRun) {
      const consequence = `Key ${keyId} (${before.name}, account ${before.accountId}) stops working within a second, for good.`;
      await confirm(io, command, { yes: options.yes, consequence });
      await store.revokeKey(keyId, Date.now());
    }
    const key = (await findKey(store, keyId)) ?? before;
    await print(io, command, {
      document: { ...keyDocument(key), ...(options.dryRun && { dry_run: true }) },
      ids: [keyId],
      screen: () => revokedScreen(key),
    });
  });

export const defineRevoke: Define = (keys, io) => {
  const revoke = keys
    .command('revoke')
    .description('End a key for good')
    .argument('<key-id>', 'id of the key, such as key_0a1b2c3d4e')
    .option(...storeOption)
    .option(...yesOption)
    .option(...dryRunOption)
    .action((keyId: string, options: Options, command: Command) => revokeKey(keyId, options, io, command));
  addExample(revoke, io, 'keys revoke key_0a1b2c3d4e');
};
