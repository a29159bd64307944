import type { Command } from 'commander';

/** Options that commands share, wherever they stand on the command line. */
export interface GlobalOptions {
  json?: true;
  fields?: string;
  quiet?: true;
  /** False with `--no-input`. */
  input: boolean;
  profile?: string;
  baseUrl?: string;
  keyFile?: string;
}

export const globalOptions = (command: Command): GlobalOptions => command.optsWithGlobals<GlobalOptions>();
