import { existsSync } from 'node:fs';
import { Option } from '@commander-js/extra-typings';
import { scopes } from '@topup-kit/core/contract';
import type { KeyMode } from '@topup-kit/core/engine';
import type { Store, StoredKey, StoreMode } from '@topup-kit/core/store';
import { maskKeys } from '../config/resolve.ts';
import type { CommandContext } from '../context.ts';
import { defineCommand, defineGroup } from '../define-command.ts';
import { CliError, exitCodes, usageError } from '../errors/cli-error.ts';
import { confirm, dryRunOption, yesOption } from '../input/prompts.ts';
import { type Io, programName } from '../io.ts';
import { isoTime, readableTime } from '../output/format.ts';
import type { OutputStyle } from '../output/style.ts';
import { type Column, table } from '../output/table.ts';
import { printable } from '../output/text.ts';
import { chooseStoreFile, isModeAsked, type StoreOptions, storeOption, withStore } from '../store/open.ts';

/** For `--json`; without the hash. */
const keyDocument = ({ keyId, name, accountId, scopes, createdAt, revokedAt }: StoredKey) => ({
  key_id: keyId,
  name,
  account_id: accountId,
  scopes,
  created_at: isoTime(createdAt),
  revoked_at: revokedAt === null ? null : isoTime(revokedAt),
});

/** The mode is part of the key, and must be that of the store's server. */
async function chooseKeyMode(store: Store, asked: StoreMode | undefined, path: string): Promise<KeyMode> {
  const mode = asked ?? (await store.readMode());
  if (mode === null) throw modeNeeded(path);
  const claimed = await store.claimMode(mode);
  if ('conflict' in claimed)
    throw usageError(`${path} belongs to a ${claimed.mode} server, so its keys can't be ${mode} keys.`);
  return mode === 'sandbox' ? 'test' : 'live';
}

/** As for other names. */
const longest = 255;

function checkText(flag: string, text: string): void {
  if (text.trim() === '' || text.length > longest)
    throw usageError(`${flag} must have 1 to ${longest} characters.`);
}

const modeNeeded = (path: string): CliError =>
  usageError(`No server was started on ${path} yet: add --mode sandbox or --mode live.`);

/** Checked before the store is created. */
async function requireModeOfNewStore(context: CommandContext, options: StoreOptions): Promise<void> {
  const { path } = await chooseStoreFile(context, options);
  if (!existsSync(path) && !isModeAsked(context.io, options)) throw modeNeeded(path);
}

/** Prints the key; a key that can't be printed is revoked. */
async function printKey(
  context: CommandContext,
  key: string,
  stored: StoredKey,
  store: Store,
): Promise<void> {
  const document = { key, ...keyDocument(stored) };
  try {
    await context.print({ document, screen: () => `${key}\n` });
  } catch (cause) {
    await store.revokeKey(stored.keyId, Date.now());
    throw new CliError(`The key could not be printed, so ${stored.keyId} was revoked.`, {
      code: 'KEY_UNSEEN',
      exitCode: exitCodes.failure,
      hint: 'Create another one where the output can be written.',
      cause,
    });
  }
}

const createKey = defineCommand({
  name: 'create',
  description: 'Create a key and print it once',
  build: (command) =>
    command
      .requiredOption('--name <name>', 'a name for the key')
      .option('--account <account>', 'the account whose orders it places and reads', 'default')
      .addOption(new Option('--scope <scope...>', 'what it may do; default: everything').choices(scopes))
      .option('--mode <mode>', 'sandbox or live, for a store without a server so far (TOPUP_MODE)')
      .option(...storeOption),
  example: 'keys create --name checkout --account web-shop',
  async run(context, options) {
    const { name, account, scope = scopes } = options;
    checkText('--name', name);
    checkText('--account', account);
    await requireModeOfNewStore(context, options);
    const [{ issueKey }, { secureRandom }, { sha256Hex }] = await Promise.all([
      import('@topup-kit/core/engine'),
      import('@topup-kit/core/platform'),
      import('@topup-kit/server'),
    ]);
    await withStore(context, { ...options, mayCreate: true }, async ({ store, path, isNew, mode }) => {
      const { key, stored } = await issueKey(
        { store, hash: sha256Hex, random: secureRandom, realClock: Date.now },
        {
          mode: await chooseKeyMode(store, mode, path),
          accountId: account,
          name,
          scopes: [...new Set(scope)],
        },
      );
      await printKey(context, key, stored, store);
      context.remark(
        `Made ${stored.keyId} for account ${printable(account)} in ${isNew ? 'the new store' : 'the store'}\n${path}.\n` +
          'The key is shown only once: the store keeps only its hash.',
      );
    });
  },
});

/** A column and the text of its cells. */
type KeyColumn = [column: Column, text: (key: StoredKey) => string];

const scopeWords = ({ scopes: given }: StoredKey): string =>
  scopes.every((scope) => given.includes(scope)) ? 'everything' : given.join(', ');

const what: KeyColumn[] = [
  [{ title: 'KEY ID' }, ({ keyId }) => keyId],
  [{ title: 'NAME', long: true }, ({ name }) => name],
  [{ title: 'ACCOUNT', long: true }, ({ accountId }) => accountId],
  [{ title: 'MAY', long: true }, scopeWords],
];
const created: KeyColumn = [{ title: 'CREATED' }, ({ createdAt }) => readableTime(createdAt)];
const state: KeyColumn = [{ title: 'STATE' }, ({ revokedAt }) => (revokedAt === null ? 'active' : 'revoked')];

/** In columns; a narrower terminal shows no times. */
const roomForTimes = 80;

function keysTable(keys: readonly StoredKey[], style: OutputStyle): string {
  const { columns = Number.POSITIVE_INFINITY } = style;
  const shown = [...what, ...(columns < roomForTimes ? [] : [created]), state];
  return table(
    shown.map(([column]) => column),
    keys.map((key) => shown.map(([, text]) => text(key))),
    style,
  );
}

const listKeys = defineCommand({
  name: 'list',
  description: 'List the keys, oldest first',
  build: (command) => command.option(...storeOption),
  example: 'keys list --store file:./data/topup.db',
  async run(context, options) {
    await withStore(context, { ...options, mayCreate: false }, async ({ store, path }) => {
      const keys = await store.listKeys();
      await context.print({
        document: { keys: keys.map(keyDocument) },
        ids: keys.map(({ keyId }) => keyId),
        screen: (style) => (keys.length === 0 ? '' : keysTable(keys, style)),
      });
      if (keys.length === 0) context.remark(`No keys in ${path} yet.`);
    });
  },
});

const keyMissing = (keyId: string, path: string, io: Io): CliError =>
  new CliError(`There is no key ${maskKeys(keyId)} in ${path}.`, {
    code: 'KEY_NOT_FOUND',
    exitCode: exitCodes.notFound,
    hint: `\`${programName(io)} keys list\` lists them; give the id of the key, key_..., not the key.`,
  });

async function findKey(store: Store, keyId: string): Promise<StoredKey | undefined> {
  return (await store.listKeys()).find((key) => key.keyId === keyId);
}

function revokedScreen({ keyId, name, revokedAt }: StoredKey): string {
  const key = `${keyId} (${printable(name)})`;
  if (revokedAt === null) return `Nothing was changed. ${key} would be revoked.\n`;
  return `${key} has been revoked since ${readableTime(revokedAt)}.\n`;
}

const revokeKey = defineCommand({
  name: 'revoke',
  description: 'Revoke a key for good',
  build: (command) =>
    command
      .argument('<key-id>', 'id of the key, such as key_0a1b2c3d4e')
      .option(...storeOption)
      .option(...yesOption)
      .option(...dryRunOption),
  example: 'keys revoke key_0a1b2c3d4e',
  async run(context, options, keyId) {
    await withStore(context, { ...options, mayCreate: false }, async ({ store, path }) => {
      const before = await findKey(store, keyId);
      if (!before) throw keyMissing(keyId, path, context.io);
      // A key that is already revoked keeps the time of its first revocation.
      if (before.revokedAt === null && !options.dryRun) {
        const consequence = `Key ${keyId} (${before.name}, account ${before.accountId}) stops working within a second, for good.`;
        await confirm(context, { yes: options.yes, consequence });
        await store.revokeKey(keyId, Date.now());
      }
      const key = (await findKey(store, keyId)) ?? before;
      await context.print({
        document: { ...keyDocument(key), ...(options.dryRun && { dry_run: true }) },
        ids: [keyId],
        screen: () => revokedScreen(key),
      });
    });
  },
});

export const keys = defineGroup(
  `These commands work on the store itself; a running server picks up the change
within a second.`,
  [createKey, listKeys, revokeKey],
);
