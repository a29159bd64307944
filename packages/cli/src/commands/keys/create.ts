import { type Scope, scopes } from '@topup-kit/core/contract';
import type { KeyMode } from '@topup-kit/core/engine';
import type { Store, StoreMode } from '@topup-kit/core/store';
import { type Command, Option } from 'commander';
import { addExample } from '../../command-line.ts';
import { usageProblem } from '../../errors/problem.ts';
import type { Io } from '../../io.ts';
import { print, remark } from '../../output/print.ts';
import { printable } from '../../output/printable.ts';
import { type StoreOptions, storeOption, withStore } from '../../store.ts';
import type { Define } from '../define.ts';
import { keyDocument } from './key-document.ts';

interface Options extends StoreOptions {
  name: string;
  account: string;
  scope?: Scope[];
}

/** A key tells by its first letters which servers it opens: those that its store is for. */
async function chooseKeyMode(store: Store, asked: StoreMode | undefined, path: string): Promise<KeyMode> {
  const mode = asked ?? (await store.readMode());
  if (mode === null)
    throw usageProblem(`No server was started on ${path} yet: say --mode sandbox or --mode live.`);
  const claimed = await store.claimMode(mode);
  if ('conflict' in claimed)
    throw usageProblem(`${path} belongs to a ${claimed.mode} server, so its keys can't be ${mode} keys.`);
  return mode === 'sandbox' ? 'test' : 'live';
}

async function createKey(options: Options, io: Io, command: Command): Promise<void> {
  const { name, account, scope = scopes } = options;
  if (name.trim() === '' || account.trim() === '') throw usageProblem('--name and --account take a text.');
  const [{ issueKey }, { secureRandom }, { sha256Hex }] = await Promise.all([
    import('@topup-kit/core/engine'),
    import('@topup-kit/core/platform'),
    import('@topup-kit/server'),
  ]);
  await withStore(io, command, { ...options, mayCreate: true }, async ({ store, path, isNew, mode }) => {
    const { key, stored } = await issueKey(
      { store, hash: sha256Hex, random: secureRandom, realClock: Date.now },
      { mode: await chooseKeyMode(store, mode, path), accountId: account, name, scopes: [...new Set(scope)] },
    );
    await print(io, command, { document: { key, ...keyDocument(stored) }, screen: () => `${key}\n` });
    remark(
      io,
      command,
      `Made ${stored.keyId} for account ${printable(account)} in ${isNew ? 'the new store' : 'the store'}\n${path}.\n` +
        'The key is shown this once: the store keeps only its hash.',
    );
  });
}

export const defineCreate: Define = (keys, io) => {
  const create = keys
    .command('create')
    .description('Make a key, and print it once')
    .requiredOption('--name <name>', 'what you call the key')
    .option('--account <account>', 'whose orders it places and reads', 'default')
    .addOption(new Option('--scope <scope...>', 'what it may do; all when left out').choices(scopes))
    .option('--mode <mode>', 'sandbox or live, for a store that no server was started on yet (TOPUP_MODE)')
    .option(...storeOption)
    .action((options: Options, command: Command) => createKey(options, io, command));
  addExample(create, io, 'keys create --name checkout --account web-shop');
};
