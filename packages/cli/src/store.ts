import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Store } from '@topup-kit/core/store';
import type { ServerConfig } from '@topup-kit/server';
import { programName } from './command-line.ts';
import { exitCodes } from './errors/exit-codes.ts';
import { Problem } from './errors/problem.ts';
import { type Io, setting } from './io.ts';

/** Options of the commands that work on a store. */
export interface StoreOptions {
  store?: string;
  mode?: string;
}

export const storeOption = [
  '--store <address>',
  'store to work on, file:PATH (TOPUP_STORE; default: file:./data/topup.db)',
] as const;

export interface OpenedStore {
  store: Store;
  /** The store's file, absolute. */
  path: string;
  /** Whether there was no such file before. */
  isNew: boolean;
  /** The mode that was asked for; undefined when none was. */
  mode: ServerConfig['mode'] | undefined;
}

const storeProblem = (message: string, hint: string): Problem =>
  new Problem(message, { code: 'STORE', exitCode: exitCodes.failure, hint });

/** Other variables of the server don't concern a store, so a bad one is no hindrance. */
async function readStoreConfig({ environment }: Io, flags: StoreOptions): Promise<ServerConfig> {
  const { readConfig, variables } = await import('@topup-kit/server');
  const names = [variables.store.name, variables.mode.name];
  return readConfig(Object.fromEntries(names.map((name) => [name, environment[name]])), flags);
}

/** Works on a store's file, beside a server that may be running on it, and closes it. */
export async function withStore(
  io: Io,
  { store: address, mode, mayCreate }: StoreOptions & { mayCreate: boolean },
  work: (opened: OpenedStore) => Promise<void>,
): Promise<void> {
  const asked = mode ?? setting(io, 'TOPUP_MODE');
  const flags = { ...(address !== undefined && { store: address }), ...(mode !== undefined && { mode }) };
  const config = await readStoreConfig(io, flags);
  if (config.store.kind === 'memory') {
    throw storeProblem(
      "memory: is inside one server's process, where no other can reach it.",
      'Run the server on file:PATH, and name the same with --store or TOPUP_STORE.',
    );
  }
  const path = resolve(config.store.path);
  const isNew = !existsSync(path);
  if (isNew && !mayCreate) {
    throw storeProblem(
      `There is no store at ${path}.`,
      `Name another with --store or TOPUP_STORE. To make one, start a server\nor make a key:\n  ${programName(io)} serve --sandbox\n  ${programName(io)} keys create --name my-key --mode live`,
    );
  }
  const { openStore } = await import('@topup-kit/server');
  const store = openStore({ kind: 'file', path });
  try {
    await work({ store, path, isNew, mode: asked === undefined ? undefined : config.mode });
  } finally {
    await store.close();
  }
}
