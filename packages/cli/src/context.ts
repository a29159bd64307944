import type { Command } from '@commander-js/extra-typings';
import type { Io, Terminal } from './io.ts';
import { type CommandOutput, createOutput, wantsJson } from './output/print.ts';

/** Declares the options that all commands share, before or after the name of the command. */
export const addGlobalOptions = (program: Command) =>
  program
    .option('--json', 'print one JSON document, for programs')
    .option(
      '--fields <list>',
      'print only these fields of the JSON document, such as orderId,data.total_price',
    )
    .option('-q, --quiet', 'print only ids where there are any, and no notes')
    .option('--no-input', 'never prompt')
    .option('--profile <name>', 'profile of the configuration (TOPUP_PROFILE)')
    .option('--base-url <url>', 'base URL of the service (TOPUP_BASE_URL)')
    .option('--key-file <file>', 'file with the API key, - for stdin (TOPUP_API_KEY)');

type GlobalOptions = ReturnType<ReturnType<typeof addGlobalOptions>['opts']>;

/** What a running command works with. */
export interface CommandContext extends CommandOutput {
  io: Io;
  /** Options given before the command's name, such as `--profile`. */
  globals: Readonly<GlobalOptions>;
  /**
   * The terminal for prompts. Undefined without a terminal, with `--no-input` or `--json`, and when the key is read
   * from stdin, which would take typed text as the key.
   */
  readonly promptTerminal: Terminal | undefined;
}

export const globalsOf = (command: { optsWithGlobals(): unknown }): GlobalOptions =>
  command.optsWithGlobals() as GlobalOptions; // safe: `addGlobalOptions` declared them

export function createContext(io: Io, globals: GlobalOptions): CommandContext {
  return {
    io,
    globals,
    ...createOutput(io, globals),
    // Read only when needed, because Node creates its streams on first access.
    get promptTerminal() {
      const mayAsk = globals.input && globals.keyFile !== '-' && !wantsJson(globals);
      return mayAsk ? io.terminal : undefined;
    },
  };
}

export const contextOf = (io: Io, command: { optsWithGlobals(): unknown }): CommandContext =>
  createContext(io, globalsOf(command));
