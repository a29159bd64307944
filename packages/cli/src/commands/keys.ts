import { InvalidArgumentError, Option } from '@commander-js/extra-typings';
import {
  type KeyMode,
  type KeyScope,
  parseDuration,
  type Scope,
  scopes,
  trustScope,
} from '@topup-kit/core/contract';
import { type IssuedKey, keyState } from '@topup-kit/core/engine';
import type { Store, StoredKey, StoreMode } from '@topup-kit/core/store';
import { maskKeys } from '../config/resolve.ts';
import type { CommandContext } from '../context.ts';
import { defineCommand, defineGroup } from '../define-command.ts';
import { CliError, exitCodes, usageError } from '../errors/cli-error.ts';
import { dayMs, durationUpTo } from '../input/arguments.ts';
import { isTimeText, momentReader } from '../input/moments.ts';
import { operatorName, operatorOption } from '../input/operator.ts';
import { confirm, dryRunOption, yesOption } from '../input/prompts.ts';
import { type Io, programName } from '../io.ts';
import { isoTime, isoTimeOrNull, readableDay, readableTime } from '../output/format.ts';
import { type ColumnOf, tableOf } from '../output/table.ts';
import { printable } from '../output/text.ts';
import { defineStoreCommand } from '../store/define-store-command.ts';
import {
  findStore,
  isModeAsked,
  noteActivity,
  type StoreOptions,
  storeOption,
  withStore,
} from '../store/open.ts';

const keyDocument = (key: StoredKey, all: readonly StoredKey[]) => ({
  key_id: key.keyId,
  name: key.name,
  account_id: key.accountId,
  scopes: key.scopes,
  state: keyState(key, Date.now()),
  created_at: isoTime(key.createdAt),
  expires_at: isoTimeOrNull(key.expiresAt),
  last_used_at: isoTimeOrNull(key.lastUsedAt),
  revoked_at: isoTimeOrNull(key.revokedAt),
  replaced_by: key.replacedBy,
  replaces: all.find(({ replacedBy }) => replacedBy === key.keyId)?.keyId ?? null,
});

/** Chooses the mode of a new key. The mode is part of the key, and must match the server's store. */
async function chooseKeyMode(store: Store, asked: StoreMode | undefined, path: string): Promise<KeyMode> {
  const mode = asked ?? (await store.readMode());
  if (mode === null) throw modeNeeded(path);
  const claimed = await store.claimMode(mode);
  if ('conflict' in claimed)
    throw usageError(`${path} belongs to a ${claimed.mode} server, so its keys can't be ${mode} keys.`);
  return mode === 'sandbox' ? 'test' : 'live';
}

const longest = 255;

function checkText(flag: string, text: string): void {
  if (text.trim() === '' || text.length > longest)
    throw usageError(`${flag} must have 1 to ${longest} characters.`);
}

const modeNeeded = (path: string): CliError =>
  usageError(`No server has opened ${path} yet: add --mode sandbox or --mode live.`);

/** Checks the mode before the store is created. */
async function requireModeOfNewStore(context: CommandContext, options: StoreOptions): Promise<void> {
  const { path, isNew } = await findStore(context, options);
  if (isNew && !isModeAsked(context.io, options)) throw modeNeeded(path);
}

/** Prints the key. A key that can't be printed is revoked. `old` is the key that it replaces. */
async function printKey(
  context: CommandContext,
  { key, stored }: IssuedKey,
  store: Store,
  { old, hint }: { old?: StoredKey; hint: string } = {
    hint: 'Create another key where the output can be written.',
  },
): Promise<void> {
  try {
    const all = await store.listKeys();
    const document = {
      key,
      ...keyDocument(stored, all),
      ...(old && { old_key: keyDocument(old, all) }),
    };
    await context.print({ document, screen: () => `${key}\n` });
  } catch (cause) {
    await store.revokeKey(stored.keyId, Date.now());
    throw new CliError(`The key could not be printed, so ${stored.keyId} was revoked.`, {
      code: 'KEY_UNSEEN',
      exitCode: exitCodes.failure,
      hint,
      cause,
    });
  }
}

const onlyOnce = 'The key is shown only once: the store keeps only its hash.';

/** Loads the code for issuing keys only when it is needed. */
async function issuing(store: Store) {
  const [engine, { secureRandom }, { sha256Hex }] = await Promise.all([
    import('@topup-kit/core/engine'),
    import('@topup-kit/core/platform'),
    import('@topup-kit/server/internal'),
  ]);
  return { engine, deps: { store, hash: sha256Hex, random: secureRandom, realClock: Date.now } };
}

/** Maximum lifetime in days: ten years, which is longer than any key should live, and within the range of `Date`. */
const longestDays = 3_650;

function expiryText(text: string): string {
  if (!isTimeText(text) && !((parseDuration(text) ?? Number.POSITIVE_INFINITY) <= longestDays * dayMs))
    throw new InvalidArgumentError(
      'Give a duration such as 90d (at most 3650d), or a time such as 2026-12-31 or 2026-12-31T18:00+07:00.',
    );
  return text;
}

/** Returns when a new key expires, in unix milliseconds; null if it never expires. */
async function chooseExpiry(text: string | undefined, io: Io): Promise<number | null> {
  if (text === undefined) return null;
  const now = Date.now();
  const duration = parseDuration(text);
  const expiresAt =
    duration === undefined ? Date.parse((await momentReader(io))(text, 'end') ?? '') : now + duration;
  if (expiresAt <= now) throw usageError(`--expires ${text} is not in the future.`);
  return expiresAt;
}

function addScopes(text: string, before: readonly Scope[] | undefined): readonly Scope[] {
  const added = text.split(',').map((name) => scopes.find((scope) => scope === name));
  if (!added.every((scope) => scope !== undefined))
    throw new InvalidArgumentError(`Allowed choices are ${scopes.join(', ')}.`);
  return [...(before ?? []), ...added];
}

const createKey = defineCommand({
  name: 'create',
  description: 'Create a key and print it once',
  build: (command) =>
    command
      .requiredOption('--name <name>', 'a name for the key')
      .option('--account <account>', 'the account whose orders it places and reads', 'default')
      .addOption(
        new Option('--scope <scope...>', 'permissions, also separated by commas; default: all')
          .choices(scopes)
          .argParser(addScopes),
      )
      .option('--trusted', "allow it to send its customers' IP addresses, for separate limits")
      .option(
        '--expires <time>',
        'when it stops working: a duration such as 90d, or a time; a date includes that day in TOPUP_TIMEZONE; default: never',
        expiryText,
      )
      .option('--mode <mode>', 'sandbox or live, for a store that no server has opened yet (TOPUP_MODE)')
      .option(...operatorOption)
      .option(...storeOption),
  example: 'keys create --name checkout --account web-shop --expires 90d',
  async run(context, options) {
    const { name, account, scope = scopes } = options;
    checkText('--name', name);
    checkText('--account', account);
    const operator = operatorName(context.io, options.operator);
    const expiresAt = await chooseExpiry(options.expires, context.io);
    await requireModeOfNewStore(context, options);
    await withStore(context, { ...options, mayCreate: true }, async ({ store, path, isNew, mode }) => {
      const { engine, deps } = await issuing(store);
      const issued = await engine.issueKey(deps, {
        mode: await chooseKeyMode(store, mode, path),
        accountId: account,
        name,
        scopes: [...new Set<KeyScope>(options.trusted ? [...scope, trustScope] : scope)],
        expiresAt,
      });
      const { keyId } = issued.stored;
      await noteActivity(store, { operator, action: 'key.created', subject: keyId });
      await printKey(context, issued, store);
      context.remark(
        `Made ${keyId} for account ${printable(account)} in ${isNew ? 'the new store' : 'the store'}\n${path}.\n` +
          `${expiresAt === null ? '' : `It expires ${readableTime(expiresAt)}.\n`}${onlyOnce}`,
      );
    });
  },
});

const scopeWords = ({ scopes: given }: StoredKey): string =>
  [
    ...(scopes.every((scope) => given.includes(scope))
      ? ['everything']
      : scopes.filter((scope) => given.includes(scope))),
    ...(given.includes(trustScope) ? ['trusted'] : []),
  ].join(', ');

function stateWords(key: StoredKey): string {
  const state = keyState(key, Date.now());
  return state === 'active' && key.expiresAt !== null ? `until ${readableTime(key.expiresAt)}` : state;
}

const timeOrNever = (moment: number | null): string => (moment === null ? 'never' : readableTime(moment));

/** Columns of the list. A narrow terminal shows no time except the expiry. */
const keyColumns: ColumnOf<StoredKey>[] = [
  [{ title: 'KEY ID' }, ({ keyId }) => keyId],
  [{ title: 'NAME', long: true }, ({ name }) => name],
  [{ title: 'ACCOUNT', long: true }, ({ accountId }) => accountId],
  [{ title: 'MAY', long: true }, scopeWords],
  [{ title: 'LAST USED', spare: true }, ({ lastUsedAt }) => timeOrNever(lastUsedAt)],
  [{ title: 'CREATED', spare: true }, ({ createdAt }) => readableDay(createdAt)],
  [{ title: 'STATE' }, stateWords],
];

const listKeys = defineStoreCommand({
  name: 'list',
  description: 'List the keys, oldest first',
  example: 'keys list --store file:./data/topup.db',
  async run({ store, path }, context) {
    const keys = await store.listKeys();
    await context.print({
      document: { keys: keys.map((key) => keyDocument(key, keys)) },
      ids: keys.map(({ keyId }) => keyId),
      screen: (style) => tableOf(keyColumns, keys, style),
    });
    if (keys.length === 0) context.remark(`No keys in ${path} yet.`);
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

const revokeKey = defineStoreCommand({
  name: 'revoke',
  description: 'Revoke a key for good',
  build: (command) =>
    command
      .argument('<key-id>', 'id of the key, such as key_0a1b2c3d4e')
      .option(...operatorOption)
      .option(...storeOption)
      .option(...yesOption)
      .option(...dryRunOption),
  takesIds: true,
  example: 'keys revoke key_0a1b2c3d4e',
  async run({ store, path, deps: { operator } }, context, options, keyId) {
    const before = await findKey(store, keyId);
    if (!before) throw keyMissing(keyId, path, context.io);
    // If a key is already revoked, it keeps the time of its first revocation.
    if (before.revokedAt === null && !options.dryRun) {
      const consequence = `Key ${keyId} (${before.name}, account ${before.accountId}) stops working within a second, for good.`;
      await confirm(context, { yes: options.yes, consequence });
      await store.revokeKey(keyId, Date.now());
      await noteActivity(store, { operator, action: 'key.revoked', subject: keyId });
    }
    const key = (await findKey(store, keyId)) ?? before;
    await context.print({
      document: { ...keyDocument(key, await store.listKeys()), ...(options.dryRun && { dry_run: true }) },
      ids: [keyId],
      screen: () => revokedScreen(key),
    });
  },
});

const keyInactive = (key: StoredKey, io: Io): CliError => {
  const state = keyState(key, Date.now());
  const why = state === 'active' ? `already replaced by ${key.replacedBy}` : state;
  return new CliError(`${key.keyId} (${printable(key.name)}) is ${why}, so it can't be rotated.`, {
    code: 'KEY_INACTIVE',
    exitCode: exitCodes.rejected,
    hint: `\`${programName(io)} keys create\` makes another key.`,
  });
};

const rotateKey = defineStoreCommand({
  name: 'rotate',
  description: 'Replace a key with a new one, and let both work for a while',
  help: `The new key has the account, name, scopes and lifetime of the old one, and is
printed once. The old key stops working when the overlap ends.`,
  build: (command) =>
    command
      .argument('<key-id>', 'id of the key, such as key_0a1b2c3d4e')
      .option(
        '--overlap <duration>',
        'how long both keys work, such as 7d; 0s ends the old key immediately; default: 24h',
        durationUpTo(longestDays),
      )
      .option(...operatorOption),
  example: 'keys rotate key_0a1b2c3d4e --overlap 7d',
  async run({ store, path, deps: { operator } }, context, options, keyId) {
    const old = await findKey(store, keyId);
    if (!old) throw keyMissing(keyId, path, context.io);
    const { engine, deps } = await issuing(store);
    const mode = await chooseKeyMode(store, undefined, path);
    const issued = await engine.rotateKey(deps, old, {
      mode,
      overlapMs: options.overlap ?? dayMs,
    });
    const now = (await findKey(store, keyId)) ?? old;
    if ('conflict' in issued) throw keyInactive(now, context.io);
    await noteActivity(store, { operator, action: 'key.rotated', subject: keyId });
    const isActive = keyState(now, Date.now()) === 'active';
    const until = isActive ? `stops working ${timeOrNever(now.expiresAt)}` : 'no longer works';
    await printKey(context, issued, store, {
      old: now,
      hint: `${keyId} ${until}. ${isActive ? 'Rotate it again' : 'Create another key'} where the output can be written.`,
    });
    context.remark(
      `Made ${issued.stored.keyId} in ${path}.\n${keyId} (${printable(old.name)}) ${until}.\n${onlyOnce}`,
    );
  },
});

export const noun = defineGroup(
  `These commands work on the store itself; a running server picks up the change
within a second.`,
  [createKey, listKeys, rotateKey, revokeKey],
);
