import type { OperatorDependencies } from '@topup-kit/core/engine';
import { programName, shellWord } from './command-line.ts';
import type { CommandContext } from './context.ts';
import { type OpenedStore, type StoreOptions, withStore } from './store.ts';

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
