import { Command, CommanderError } from 'commander';
import { programName } from './command-line.ts';
import { nouns } from './commands/nouns.ts';
import { refuseBaseUrl } from './commands/refuse-base-url.ts';
import { exitCodes, exitCodesHelp } from './errors/exit-codes.ts';
import { QuietExit } from './errors/quiet-exit.ts';
import type { Io } from './io.ts';
import { version } from './version.ts';

const help = (program: string): string => `
Examples:
  ${program} serve --sandbox            start a sandbox to play with
  ${program} games list                 see what it sells
  ${program} games show mobile-legends  see products and ways to pay
  ${program} orders create --help       see what an order takes

Environment:
  TOPUP_BASE_URL  base URL of the service, such as https://shop.example/api
  TOPUP_API_KEY   the key it is asked with
  TOPUP_DEBUG     set to 1, shows where an error comes from
  Without base URL and key, the sandbox on this machine is asked.

${exitCodesHelp}`;

function createProgram(io: Io): Command {
  return new Command('topup')
    .description('Games, orders, promos, keys and servers of a top-up service.')
    .version(version, '--version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .helpCommand('help [command]', 'Print the help of a command')
    .option('--json', 'print one JSON document, for programs')
    .option('--base-url <url>', 'base URL of the service to ask (TOPUP_BASE_URL)')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      // All that commander writes here is the help of a noun without a verb; errors are ours to report.
      writeErr: (text) => io.stdout.write(text),
      outputError: () => {},
      getOutHelpWidth: () => io.columns ?? 80,
      getErrHelpWidth: () => io.columns ?? 80,
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
    .addHelpText('after', () => help(programName(io)));
}

/** Loads only the commands that are named on the command line; of the others, help needs one line. */
async function addCommands(program: Command, args: readonly string[], io: Io): Promise<void> {
  for (const { name, summary, asksService, load } of nouns) {
    const command = program.command(name).description(summary);
    if (!args.includes(name)) continue;
    const global = asksService ? ['--json', '--base-url'] : ['--json'];
    command.configureHelp({
      showGlobalOptions: true,
      visibleGlobalOptions: () => program.options.filter(({ long }) => global.includes(long ?? '')),
    });
    if (!asksService) refuseBaseUrl(command);
    const define = await load();
    define(command, io);
  }
}

const isHelpOrVersion = (error: unknown): boolean =>
  error instanceof CommanderError && (error.exitCode === 0 || error.code === 'commander.help');

async function tell(error: unknown, io: Io, json: boolean): Promise<number> {
  const { toProblem } = await import('./errors/to-problem.ts');
  const { report } = await import('./errors/report.ts');
  const problem = toProblem(error);
  report(problem, io, json);
  return problem.details.exitCode;
}

/**
 * Runs one command line and returns its exit code; never rejects.
 *
 * @example
 * process.exitCode = await main(['games', 'list'], { stdout, stderr, environment: process.env });
 */
export async function main(args: readonly string[], io: Io): Promise<number> {
  try {
    const program = createProgram(io);
    await addCommands(program, args, io);
    await program.parseAsync(args, { from: 'user' });
    return exitCodes.ok;
  } catch (error) {
    if (error instanceof QuietExit) return error.exitCode;
    return isHelpOrVersion(error) ? exitCodes.ok : tell(error, io, args.includes('--json'));
  }
}
