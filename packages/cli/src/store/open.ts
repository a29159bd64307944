import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { OperatorDependencies } from '@topup-kit/core/engine';
import type { Store } from '@topup-kit/core/store';
import type { ServerConfig } from '@topup-kit/server';
import { type ChosenProfile, chooseProfile, chooseSetting, type ResolvedSetting } from '../config/resolve.ts';
import type { CommandContext } from '../context.ts';
import { CliError, exitCodes } from '../errors/cli-error.ts';
import { type Io, programName, setting } from '../io.ts';
import { followStore } from '../output/display.ts';
import { shellWord } from '../output/text.ts';

export interface StoreOptions {
  store?: string;
  mode?: string;
}

export const storeOption = [
  '--store <address>',
  'store to work on, file:PATH or postgres://... (TOPUP_STORE; default: file:./data/topup.db)',
] as const;

/** The store of `topup serve` with default settings. */
const defaultStore = 'file:./data/topup.db';

interface OpenedStore {
  store: Store;
  /** The absolute path of the file. */
  path: string;
  /** Whether the file is new. */
  isNew: boolean;
  /** The requested mode; undefined if none was given. */
  mode: ServerConfig['mode'] | undefined;
}

const noStoreAddress = (message: string, hint: string): CliError =>
  new CliError(message, { code: 'STORE', exitCode: exitCodes.usage, hint });

/** Reads only the variables of a store, so that an invalid other setting of the server does no harm. */
async function readStoreConfig({ environment }: Io, flags: StoreOptions): Promise<ServerConfig> {
  const { readConfig, variables } = await import('@topup-kit/server');
  const names = [variables.store.name, variables.mode.name];
  return readConfig(Object.fromEntries(names.map((name) => [name, environment[name]])), flags);
}

/** The address of the store, from flag, environment or profile. */
export const chooseStoreOf = (io: Io, profile: ChosenProfile, address: string | undefined): ResolvedSetting =>
  chooseSetting(io, {
    flag: { name: '--store', value: address },
    variable: 'TOPUP_STORE',
    inProfile: 'store',
    profile,
    defaultValue: defaultStore,
  });

export const chooseStore = (context: CommandContext, address: string | undefined): ResolvedSetting =>
  chooseStoreOf(context.io, chooseProfile(context), address);

/** The absolute path of the store, whether or not it exists. */
export async function chooseStoreFile(
  context: CommandContext,
  { store: address, mode }: StoreOptions,
): Promise<{ path: string; mode: ServerConfig['mode'] }> {
  const { value, source } = chooseStore(context, address);
  if (!/^(file:.|memory:$)/.test(value))
    throw noStoreAddress(
      `${source} must be file:PATH, not "${value}".`,
      'Such as file:./data/topup.db, which is the default.',
    );
  const config = await readStoreConfig(context.io, { store: value, ...(mode !== undefined && { mode }) });
  if (config.store.kind !== 'file') {
    throw noStoreAddress(
      'memory: is inside the process of one server, where no other process can reach it.',
      'Run the server on file:PATH, and name the same with --store or TOPUP_STORE.',
    );
  }
  return { path: resolve(config.store.path), mode: config.mode };
}

/** Whether a flag or the environment sets the mode. */
export const isModeAsked = (io: Io, { mode }: StoreOptions): boolean =>
  mode !== undefined || setting(io, 'TOPUP_MODE') !== undefined;

/** Opens the store, also while a server runs on it, and closes it afterwards. */
export async function withStore(
  context: CommandContext,
  { mayCreate, ...options }: StoreOptions & { mayCreate: boolean },
  work: (opened: OpenedStore) => Promise<void>,
): Promise<void> {
  const { path, mode } = await chooseStoreFile(context, options);
  const isNew = !existsSync(path);
  if (isNew && !mayCreate) {
    throw new CliError(`There is no store at ${path}.`, {
      code: 'NOT_FOUND',
      exitCode: exitCodes.notFound,
      hint: `Use another store with --store or TOPUP_STORE. To create one, start a server\nor create a key:\n  ${programName(context.io)} serve --sandbox\n  ${programName(context.io)} keys create --name my-key --mode live`,
    });
  }
  const { openStore } = await import('@topup-kit/server');
  const store = openStore({ kind: 'file', path });
  try {
    followStore(await store.readDisplay());
    await work({ store, path, isNew, mode: isModeAsked(context.io, options) ? mode : undefined });
  } finally {
    await store.close();
  }
}

export interface Operating extends OpenedStore {
  /** For the engine's operator functions; the world clock of a sandbox may be ahead of real time. */
  deps: OperatorDependencies;
  /** A command line for the same store. */
  commandLine(args: string): string;
}

/** Builds command lines for the same store. */
export function onSameStore(context: CommandContext, { store }: StoreOptions): (args: string) => string {
  const { profile } = context.globals;
  const where = [
    ...(store === undefined ? [] : [`--store ${shellWord(store)}`]),
    ...(profile === undefined ? [] : [`--profile ${shellWord(profile)}`]),
  ];
  return (args) => [programName(context.io), args, ...where].join(' ');
}

/** A sentence on whether a running server delivers what is now due. */
export async function whoDelivers(path: string, what: string): Promise<string> {
  const { findServer } = await import('@topup-kit/server');
  return findServer(path)
    ? `The running server delivers ${what}.`
    : `No server runs on this store: nothing is delivered until you start one.`;
}

/** Opens an existing store for an operator's command. */
export const operate = (
  context: CommandContext,
  options: StoreOptions,
  work: (operating: Operating) => Promise<void>,
): Promise<void> =>
  withStore(context, { ...options, mayCreate: false }, async (opened) => {
    const offset = await opened.store.readWorldOffset();
    await work({
      ...opened,
      deps: { store: opened.store, worldClock: () => Date.now() + offset },
      commandLine: onSameStore(context, options),
    });
  });

export const noCatalog = (path: string, io: Io): CliError =>
  new CliError(`There is no catalogue in ${path} yet.`, {
    code: 'NO_CATALOG',
    exitCode: exitCodes.failure,
    hint: `A sandbox has one; otherwise import your own:\n  ${programName(io)} catalog import <file>`,
  });
