import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command, OptionValues } from '@commander-js/extra-typings';
import type { OperatorDependencies } from '@topup-kit/core/engine';
import { maskCredentials } from '@topup-kit/core/http';
import type { Activity, Store } from '@topup-kit/core/store';
import type { ServerConfig, StoreAddress } from '@topup-kit/server/internal';
import { type ChosenProfile, chooseProfile, chooseSetting, type ResolvedSetting } from '../config/resolve.ts';
import type { CommandContext } from '../context.ts';
import { CliError, exitCodes } from '../errors/cli-error.ts';
import { operatorName, operatorOption } from '../input/operator.ts';
import { dryRunOption, yesOption } from '../input/prompts.ts';
import { type Io, programName, setting } from '../io.ts';
import { requireNewestNode } from '../newest-node.ts';
import { followStore } from '../output/display.ts';
import { shellWord } from '../output/text.ts';

export interface StoreOptions {
  store?: string;
  mode?: string;
  /** Flag that names the store; `--store` by default. */
  flag?: string;
  /** Operator's name, for commands that take it. */
  operator?: string | undefined;
}

export const storeOption = [
  '--store <address>',
  'store to work on, file:PATH or postgres://... (TOPUP_STORE; default: file:./data/topup.db)',
] as const;

/** Options of commands that change a store. */
export const withChangeOptions = <
  Args extends unknown[],
  Options extends OptionValues,
  Globals extends OptionValues,
>(
  command: Command<Args, Options, Globals>,
) =>
  command
    .option(...operatorOption)
    .option(...yesOption)
    .option(...dryRunOption)
    .option(...storeOption);

/** Store of `topup serve` with default settings. */
const defaultStore = 'file:./data/topup.db';

interface OpenedStore {
  store: Store;
  address: SharedAddress;
  /** Absolute path of the file, or the address of the database without its password. */
  path: string;
  isNew: boolean;
  /** Requested mode; undefined if none was given. */
  mode: ServerConfig['mode'] | undefined;
}

const noStoreAddress = (message: string, hint: string): CliError =>
  new CliError(message, { code: 'STORE', exitCode: exitCodes.usage, hint });

/** Reads only the store's variables, so that other invalid settings of the server don't matter. */
async function readStoreConfig({ environment }: Io, flags: StoreOptions): Promise<ServerConfig> {
  const { readConfig, settingDefinitions } = await import('@topup-kit/server/internal');
  const { name } = settingDefinitions.mode;
  return readConfig({ [name]: environment[name] }, flags);
}

/** Reads the address from the variable's file, because a database's address contains a password. */
function readAddressFile(io: Io): ResolvedSetting | null {
  const source = 'TOPUP_STORE_FILE';
  const file = setting(io, source);
  if (file === undefined) return null;
  try {
    return { value: readFileSync(file, 'utf8').trim(), origin: 'environment', source };
  } catch (cause) {
    throw new CliError(`${source} names ${file}, which can't be read.`, {
      code: 'STORE',
      exitCode: exitCodes.usage,
      hint: "Give a file that contains the store's address, or set TOPUP_STORE.",
      cause,
    });
  }
}

/** Returns the address of the store from flag, environment or profile. */
export function chooseStore(
  context: CommandContext,
  address: string | undefined,
  { flag = '--store', profile = chooseProfile(context) }: { flag?: string; profile?: ChosenProfile } = {},
): ResolvedSetting {
  const chosen = chooseSetting(context.io, 'store', {
    flag: { name: flag, value: address },
    profile,
    defaultValue: defaultStore,
  });
  const isSet = chosen.origin === 'flag' || chosen.origin === 'environment';
  return (isSet ? null : readAddressFile(context.io)) ?? chosen;
}

/** Address of a store that other processes can open. */
export type SharedAddress = Exclude<StoreAddress, { kind: 'memory' }>;

export interface FoundStore<Address = SharedAddress> extends Pick<OpenedStore, 'path' | 'isNew'> {
  address: Address;
  mode: ServerConfig['mode'];
}

/** Finds the store, whether it exists or not. */
export async function findStore(
  context: CommandContext,
  { store: chosen, mode: asked, flag }: StoreOptions,
): Promise<FoundStore> {
  requireNewestNode('Work on a store');
  const { value, source } = chooseStore(context, chosen, flag === undefined ? {} : { flag });
  const { storeName } = await import('@topup-kit/server/internal');
  if (!/^(file:.|postgres(ql)?:\/\/.|memory:$)/.test(value))
    throw noStoreAddress(
      `${source} must be file:PATH or postgres://..., not "${maskCredentials(value)}".`,
      'For example: file:./data/topup.db, which is the default.',
    );
  const config = await readStoreConfig(context.io, {
    store: value,
    ...(asked !== undefined && { mode: asked }),
  });
  const { store: address, mode } = config;
  if (address.kind === 'memory')
    throw noStoreAddress(
      "memory: exists only inside the server's process, so no other command can open it.",
      'Run the server on file:PATH, and give the same value with --store or TOPUP_STORE.',
    );
  if (address.kind === 'postgres') return { address, path: storeName(address), isNew: false, mode };
  const path = resolve(address.path);
  return { address: { ...address, path }, path, isNew: !existsSync(path), mode };
}

/** Returns the absolute path of a store file, existing or not, for operations that need a file. */
export async function chooseStoreFile(
  context: CommandContext,
  options: StoreOptions,
  instead = "Use PostgreSQL's own tools: pg_dump, pg_restore and pg_isready.",
): Promise<string> {
  const { address, path } = await findStore(context, options);
  if (address.kind === 'file') return path;
  throw noStoreAddress(`This works on a store file, and ${path} is a PostgreSQL database.`, instead);
}

/** Tells whether a flag or the environment sets the mode. */
export const isModeAsked = (io: Io, { mode }: StoreOptions): boolean =>
  mode !== undefined || setting(io, 'TOPUP_MODE') !== undefined;

/** Opens the store, even while a server uses it, and closes it afterwards. */
export async function withStore(
  context: CommandContext,
  { mayCreate, ...options }: StoreOptions & { mayCreate: boolean },
  work: (opened: OpenedStore) => Promise<void>,
): Promise<void> {
  const { address, path, isNew, mode } = await findStore(context, options);
  if (isNew && !mayCreate) {
    throw new CliError(`There is no store at ${path}.`, {
      code: 'NOT_FOUND',
      exitCode: exitCodes.notFound,
      hint: `Use another store with --store or TOPUP_STORE. To create one, start a server\nor create a key:\n  ${programName(context.io)} serve --sandbox\n  ${programName(context.io)} keys create --name my-key --mode live`,
    });
  }
  const { openStore, assertStoreExists } = await import('@topup-kit/server/internal');
  if (address.kind === 'postgres' && !mayCreate) await assertStoreExists(address.url);
  const store = openStore(address);
  try {
    followStore(await store.readDisplay());
    await work({ store, address, path, isNew, mode: isModeAsked(context.io, options) ? mode : undefined });
  } finally {
    await store.close();
  }
}

export interface OperatorStore extends OpenedStore {
  /** Dependencies for the engine's operator functions; the world clock of a sandbox may be ahead of real time. */
  deps: OperatorDependencies;
  commandLine(args: string): string;
}

export function onSameStore(context: CommandContext, { store }: StoreOptions): (args: string) => string {
  const { profile } = context.globals;
  const where = [
    ...(store === undefined ? [] : [`--store ${shellWord(maskCredentials(store))}`]),
    ...(profile === undefined ? [] : [`--profile ${shellWord(profile)}`]),
  ];
  return (args) => [programName(context.io), args, ...where].join(' ');
}

export async function hasServer({ address }: Pick<OpenedStore, 'address'>): Promise<boolean> {
  const { findServer, findServers } = await import('@topup-kit/server/internal');
  if (address.kind === 'file') return findServer(address.path) !== null;
  return (await findServers(address.url)).length > 0;
}

/** Describes whether a running server delivers the due orders. */
export const whoDelivers = async (opened: Pick<OpenedStore, 'address'>, what: string): Promise<string> =>
  (await hasServer(opened))
    ? `The running server delivers ${what}.`
    : 'No server runs on this store: nothing is delivered until you start one.';

export const withOperatorStore = (
  context: CommandContext,
  options: StoreOptions,
  work: (operating: OperatorStore) => Promise<void>,
): Promise<void> =>
  withStore(context, { ...options, mayCreate: false }, async (opened) => {
    const offset = await opened.store.readWorldOffset();
    await work({
      ...opened,
      deps: {
        store: opened.store,
        worldClock: () => Date.now() + offset,
        operator: operatorName(context.io, options.operator),
      },
      commandLine: onSameStore(context, options),
    });
  });

/** Records an action that has no other history in the activity. */
export async function noteActivity(
  store: Store,
  done: Pick<Activity, 'operator' | 'action' | 'subject'>,
): Promise<void> {
  await store.addActivity({ at: Date.now(), ...done, amount: null });
}

export const noCatalog = (path: string, io: Io): CliError =>
  new CliError(`There is no catalogue in ${path} yet.`, {
    code: 'NO_CATALOG',
    exitCode: exitCodes.failure,
    hint: `A sandbox has one; otherwise import your own:\n  ${programName(io)} catalog import <file>`,
  });

/** Returns the error for a missing record; `listedBy` is the command that lists the existing records. */
export const notInStore = (
  { path, commandLine }: Pick<OperatorStore, 'path' | 'commandLine'>,
  what: string,
  code: string,
  listedBy: string,
): CliError =>
  new CliError(`There is no ${what} in ${path}.`, {
    code,
    exitCode: exitCodes.notFound,
    hint: `This lists them:\n  ${commandLine(listedBy)}`,
  });
