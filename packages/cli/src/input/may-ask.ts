import type { Command } from 'commander';
import { globalOptions } from '../global-options.ts';
import type { Io, Terminal } from '../io.ts';
import { wantsJson } from '../output/print.ts';

/**
 * The terminal to ask at; undefined where nobody sits, with `--no-input`, for programs, and where a key is read from
 * stdin: what is typed would be taken for it.
 */
export function askableTerminal(io: Io, command: Command): Terminal | undefined {
  const { input, keyFile } = globalOptions(command);
  return input && keyFile !== '-' && !wantsJson(command) ? io.terminal : undefined;
}
