import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { OperatorDependencies } from '@topup-kit/core/engine';
import type { Store } from '@topup-kit/core/store';
import type { ServerConfig } from '@topup-kit/server';
import { type ChosenProfile, chooseProfile, chooseSetting, type ResolvedSetting } from '../config/resolve.ts';
import type { CommandContext } from '../context.ts';
import { CliError, exitCodes } from '../errors/cli-error.ts';
import { type Io, programName, setting } from '../io.ts';
import { shellWord } from '../output/text.ts';

/** Options of the commands that work on a store. */
export interface StoreOptions {
  store?: string;
  mode?: string;
}

export const storeOption = [
  '--store <address>',
  'store to work on, file:PATH (TOPUP_STORE; default: file:./data/topup.db)',
] as const;

/** Where `topup serve` keeps what it keeps when nothing is configured. */
const defaultStore = 'file:./data/topup.db';

interface OpenedStore {
  store: Store;
  /** The store's file, absolute. */
  path: string;
  /** Whether there was no such file before. */
  isNew: boolean;
  /** The mode that was asked for; undefined when none was. */
  mode: ServerConfig['mode'] | undefined;
}

const noStoreAddress = (message: string, hint: string): CliError =>
  new CliError(message, { code: 'STORE', exitCode: exitCodes.usage, hint });

/** Other variables of the server don't concern a store, so a bad one is no hindrance. */
async function readStoreConfig({ environment }: Io, flags: StoreOptions): Promise<ServerConfig> {
  const { readConfig, variables } = await import('@topup-kit/server');
  const names = [variables.store.name, variables.mode.name];
  return readConfig(Object.fromEntries(names.map((name) => [name, environment[name]])), flags);
}

/** The address of the store to work on, as a flag, the environment or a profile says. */
export const chooseStoreOf = (io: Io, profile: ChosenProfile, address: string | undefined): ResolvedSetting =>
  chooseSetting(io, {
    flag: { name: '--store', value: address },
    variable: 'TOPUP_STORE',
    inProfile: 'store',
    profile,
    otherwise: defaultStore,
  });

/** The address of the store to work on. */
export const chooseStore = (context: CommandContext, address: string | undefined): ResolvedSetting =>
  chooseStoreOf(context.io, chooseProfile(context), address);

/** The absolute path of the store's file, whether or not it is there. */
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
  if (config.store.kind === 'memory') {
    throw noStoreAddress(
      'memory: is inside the process of one server, where no other process can reach it.',
      'Run the server on file:PATH, and name the same with --store or TOPUP_STORE.',
    );
  }
  return { path: resolve(config.store.path), mode: config.mode };
}

/** Whether a flag or the environment says which servers a store is for. */
export const isModeAsked = (io: Io, { mode }: StoreOptions): boolean =>
  mode !== undefined || setting(io, 'TOPUP_MODE') !== undefined;

/** Works on a store's file, beside a server that may be running on it, and closes it. */
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
      hint: `Name another with --store or TOPUP_STORE. To create one, start a server\nor create a key:\n  ${programName(context.io)} serve --sandbox\n  ${programName(context.io)} keys create --name my-key --mode live`,
    });
  }
  const { openStore } = await import('@topup-kit/server');
  const store = openStore({ kind: 'file', path });
  try {
    await work({ store, path, isNew, mode: isModeAsked(context.io, options) ? mode : undefined });
  } finally {
    await store.close();
  }
}

export interface Operating extends OpenedStore {
  /** What the engine's operators' functions take: the world may be ahead of real time in a sandbox. */
  deps: OperatorDependencies;
  /** A command line that works on the same store. */
  commandLine(args: string): string;
}

/** Writes command lines that work on the store of this one. */
export function onSameStore(context: CommandContext, { store }: StoreOptions): (args: string) => string {
  const { profile } = context.globals;
  const where = [
    ...(store === undefined ? [] : [`--store ${shellWord(store)}`]),
    ...(profile === undefined ? [] : [`--profile ${shellWord(profile)}`]),
  ];
  return (args) => [programName(context.io), args, ...where].join(' ');
}

/** Who does what now falls due in a store: its server, where one runs. */
export async function whoDelivers(path: string, what: string): Promise<string> {
  const { findServer } = await import('@topup-kit/server');
  return findServer(path)
    ? `The running server delivers ${what}.`
    : `No server runs on this store: nothing is delivered until you start one.`;
}

/** Works on an existing store as its operator. */
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
