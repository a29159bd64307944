import { existsSync } from 'node:fs';
import { type Scope, scopes } from '@topup-kit/core/contract';
import type { KeyMode } from '@topup-kit/core/engine';
import type { Store, StoredKey, StoreMode } from '@topup-kit/core/store';
import { type Command, Option } from 'commander';
import { addExample } from '../../command-line.ts';
import { exitCodes } from '../../errors/exit-codes.ts';
import { Problem, usageProblem } from '../../errors/problem.ts';
import type { Io } from '../../io.ts';
import { print, remark } from '../../output/print.ts';
import { printable } from '../../output/printable.ts';
import { chooseStoreFile, isModeAsked, type StoreOptions, storeOption, withStore } from '../../store.ts';
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
  if (mode === null) throw modeNeeded(path);
  const claimed = await store.claimMode(mode);
  if ('conflict' in claimed)
    throw usageProblem(`${path} belongs to a ${claimed.mode} server, so its keys can't be ${mode} keys.`);
  return mode === 'sandbox' ? 'test' : 'live';
}

/** As long as the longest text that anything else is named by. */
const longest = 255;

function checkText(flag: string, text: string): void {
  if (text.trim() === '' || text.length > longest)
    throw usageProblem(`${flag} takes a text of at most ${longest} characters.`);
}

const modeNeeded = (path: string): Problem =>
  usageProblem(`No server was started on ${path} yet: say --mode sandbox or --mode live.`);

/** Asked before a store is made, of which nobody would say what it is for. */
async function refuseNewWithoutMode(options: Options, io: Io, command: Command): Promise<void> {
  const { path } = await chooseStoreFile(io, command, options);
  if (!existsSync(path) && !isModeAsked(io, options)) throw modeNeeded(path);
}

/** Shows the key; one that nobody saw must not stay in force. */
async function show(key: string, stored: StoredKey, store: Store, io: Io, command: Command): Promise<void> {
  const document = { key, ...keyDocument(stored) };
  try {
    await print(io, command, { document, screen: () => `${key}\n` });
  } catch (cause) {
    await store.revokeKey(stored.keyId, Date.now());
    throw new Problem(`The key can't be written out, so ${stored.keyId} was revoked at once.`, {
      code: 'KEY_UNSEEN',
      exitCode: exitCodes.failure,
      hint: 'Make another where the output can be written.',
      cause,
    });
  }
}

async function createKey(options: Options, io: Io, command: Command): Promise<void> {
  const { name, account, scope = scopes } = options;
  checkText('--name', name);
  checkText('--account', account);
  await refuseNewWithoutMode(options, io, command);
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
    await show(key, stored, store, io, command);
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
