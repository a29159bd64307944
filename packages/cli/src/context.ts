import type { Io, Terminal } from './io.ts';
import { type CommandOutput, createOutput, type OutputOptions, wantsJson } from './output/print.ts';

/** Options that commands share, wherever they stand on the command line. */
export interface GlobalOptions extends OutputOptions {
  /** False with `--no-input`. */
  input: boolean;
  profile?: string;
  baseUrl?: string;
  keyFile?: string;
}

/** What a running command works with. */
export interface CommandContext extends CommandOutput {
  io: Io;
  /** The options that stand before all commands, such as `--profile`. */
  globals: Readonly<GlobalOptions>;
  /**
   * The terminal to ask at; undefined where nobody sits, with `--no-input`, for programs, and where a key is read from
   * stdin: what is typed would be taken for it.
   */
  readonly promptTerminal: Terminal | undefined;
}

/** The shared options of a command that commander has parsed. */
export const globalsOf = (command: { optsWithGlobals(): unknown }): GlobalOptions =>
  command.optsWithGlobals() as GlobalOptions; // safe: `program.ts` declares them, with the types that stand here

export function createContext(io: Io, globals: GlobalOptions): CommandContext {
  return {
    io,
    globals,
    ...createOutput(io, globals),
    // Not read before it is needed: Node makes its streams when they are first asked for.
    get promptTerminal() {
      const mayAsk = globals.input && globals.keyFile !== '-' && !wantsJson(globals);
      return mayAsk ? io.terminal : undefined;
    },
  };
}

/** The context of a command that commander has parsed. */
export const contextOf = (io: Io, command: { optsWithGlobals(): unknown }): CommandContext =>
  createContext(io, globalsOf(command));
