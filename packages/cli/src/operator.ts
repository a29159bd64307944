import type { OperatorDependencies } from '@topup-kit/core/engine';
import type { Command } from 'commander';
import { programName, shellWord } from './command-line.ts';
import { globalOptions } from './global-options.ts';
import type { Io } from './io.ts';
import { type OpenedStore, type StoreOptions, withStore } from './store.ts';

export interface Operating extends OpenedStore {
  /** What the engine's operators' functions take: the world may be ahead of real time in a sandbox. */
  deps: OperatorDependencies;
  /** A command line that works on the same store. */
  commandLine(args: string): string;
}

/** Writes command lines that work on the store of this one. */
export function onSameStore(io: Io, command: Command, { store }: StoreOptions): (args: string) => string {
  const { profile } = globalOptions(command);
  const where = [
    ...(store === undefined ? [] : [`--store ${shellWord(store)}`]),
    ...(profile === undefined ? [] : [`--profile ${shellWord(profile)}`]),
  ];
  return (args) => [programName(io), args, ...where].join(' ');
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
  io: Io,
  command: Command,
  options: StoreOptions,
  work: (operating: Operating) => Promise<void>,
): Promise<void> =>
  withStore(io, command, { ...options, mayCreate: false }, async (opened) => {
    const offset = await opened.store.readWorldOffset();
    await work({
      ...opened,
      deps: { store: opened.store, worldClock: () => Date.now() + offset },
      commandLine: onSameStore(io, command, options),
    });
  });
