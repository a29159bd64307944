import type { OperatorDependencies } from '@topup-kit/core/engine';
import { programName, shellWord } from './command-line.ts';
import type { Io } from './io.ts';
import { type OpenedStore, type StoreOptions, withStore } from './store.ts';

export interface Operating extends OpenedStore {
  /** What the engine's operators' functions take: the world may be ahead of real time in a sandbox. */
  deps: OperatorDependencies;
  /** A command line that works on the same store. */
  commandLine(args: string): string;
}

/** Works on an existing store as its operator. */
export const operate = (
  io: Io,
  options: StoreOptions,
  work: (operating: Operating) => Promise<void>,
): Promise<void> =>
  withStore(io, { ...options, mayCreate: false }, async (opened) => {
    const offset = await opened.store.readWorldOffset();
    const where = options.store === undefined ? '' : ` --store ${shellWord(options.store)}`;
    await work({
      ...opened,
      deps: { store: opened.store, worldClock: () => Date.now() + offset },
      commandLine: (args) => `${programName(io)} ${args}${where}`,
    });
  });
