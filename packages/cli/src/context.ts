import type { Command } from '@commander-js/extra-typings';
import type { Io, Terminal } from './io.ts';
import { type CommandOutput, createOutput, wantsJson } from './output/print.ts';

/** Options that all commands share, before or after the name of the command. */
export const globalOptions = {
  json: ['--json', 'print one JSON document, for programs'],
  fields: [
    '--fields <list>',
    'print only these fields of the JSON document, such as orderId,data.total_price',
  ],
  quiet: ['-q, --quiet', 'print only ids, and no notes'],
  input: ['--no-input', 'never prompt'],
  profile: ['--profile <name>', 'profile of the configuration (TOPUP_PROFILE)'],
  baseUrl: ['--base-url <url>', 'base URL of the service (TOPUP_BASE_URL)'],
  keyFile: ['--key-file <file>', 'file with the API key, - for stdin (TOPUP_API_KEY)'],
} as const;

export const addGlobalOptions = (program: Command) =>
  program
    .option(...globalOptions.json)
    .option(...globalOptions.fields)
    .option(...globalOptions.quiet)
    .option(...globalOptions.input)
    .option(...globalOptions.profile)
    .option(...globalOptions.baseUrl)
    .option(...globalOptions.keyFile);

type GlobalOptions = ReturnType<ReturnType<typeof addGlobalOptions>['opts']>;

export interface CommandContext extends CommandOutput {
  io: Io;
  /** Options given before the command's name, such as `--profile`. */
  globals: Readonly<GlobalOptions>;
  /**
   * Terminal for prompts. Undefined without a terminal, with `--no-input` or `--json`, and if the key is read from stdin, because typed
   * text would be taken as the key.
   */
  readonly promptTerminal: Terminal | undefined;
  /** Handled orders in a run for several ids, because an id has a long and a short form. */
  readonly handled?: Set<string>;
}

export const globalsOf = (command: { optsWithGlobals(): unknown }): GlobalOptions =>
  command.optsWithGlobals() as GlobalOptions; // Safe: `addGlobalOptions` declared them.

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
