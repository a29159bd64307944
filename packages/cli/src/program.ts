import { Command, CommanderError } from 'commander';
import { nouns } from './commands/nouns.ts';
import { addGlobalOptions, globalsOf } from './context.ts';
import { minWidthToWrap, setAsksService, typed } from './define-command.ts';
import {
  about,
  groups,
  helpCommand,
  helpOption,
  helpWidth,
  paintTitles,
  programHelp,
  versionOption,
} from './help.ts';
import type { Io } from './io.ts';
import { requireNewestNode } from './newest-node.ts';
import { layOut } from './output/layout.ts';
import { readFields } from './output/print.ts';
import { styleOf } from './output/style.ts';
import { version } from './version.ts';

function createProgram(io: Io): Command {
  const style = styleOf(io, io.stdout);
  const width = helpWidth(style);
  // Commander's style hooks don't apply to texts that are added to the help.
  const write = (text: string): unknown => io.stdout.write(paintTitles(layOut(text, width), style));
  const program = new Command('topup')
    .description(about)
    .version(version, ...versionOption)
    .helpOption(...helpOption)
    .configureHelp({ minWidthToWrap })
    .commandsGroup(groups.self)
    .helpCommand(...helpCommand)
    // A wrong `--fields` must be rejected before an order is placed.
    .hook('preAction', (_program, action) => {
      readFields(globalsOf(action));
    })
    .exitOverride()
    .configureOutput({
      writeOut: write,
      // Commander uses this only to write the help of a noun without a verb. Errors are reported elsewhere.
      writeErr: write,
      outputError: () => {},
      getOutHelpWidth: () => width,
      getErrHelpWidth: () => width,
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    });
  program.helpInformation = () => programHelp(io);
  addGlobalOptions(typed(program));
  return program;
}

/**
 * Creates the command line of `topup`. Loads only the nouns that `isNamed` accepts; of the others, it loads names and descriptions for
 * completion.
 */
export async function loadProgram(io: Io, isNamed: (noun: string) => boolean): Promise<Command> {
  const program = createProgram(io);
  for (const { name, summary, group, asksService, needsNewestNode, load } of nouns) {
    const command = program.command(name).description(summary).helpGroup(groups[group]);
    if (!isNamed(name)) continue;
    if (needsNewestNode) command.hook('preAction', () => requireNewestNode(`topup ${name}`));
    setAsksService(command, asksService);
    const define = await load();
    define(command, io);
  }
  return program;
}

const isKnown = (command: Command, [name, ...rest]: readonly string[]): boolean => {
  if (name === undefined || command.commands.length === 0) return true;
  const next = command.commands.find((command) => command.name() === name);
  return next !== undefined && isKnown(next, rest);
};

/** Turns `help orders create` into `orders create --help`. An unknown command gets the same error as without `help`. */
function helpWords(program: Command, words: readonly string[]): readonly string[] {
  const [first, ...names] = words;
  if (first !== 'help' || names.length === 0) return words;
  return isKnown(program, names) ? [...names, '--help'] : names;
}

const isHelpOrVersion = (error: unknown): boolean =>
  error instanceof CommanderError && (error.exitCode === 0 || error.code === 'commander.help');

/** Runs the named command or prints its help, which commander ends with an error. */
export async function runProgram(program: Command, words: readonly string[]): Promise<void> {
  try {
    await program.parseAsync(helpWords(program, words), { from: 'user' });
  } catch (error) {
    if (!isHelpOrVersion(error)) throw error;
  }
}
