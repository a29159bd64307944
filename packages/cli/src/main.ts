import type { Command } from 'commander';
import { inTodaysNames, renamings } from './earlier-names.ts';
import { exitCodes, isEarlyEnd, isOutputError, QuietExit } from './errors/cli-error.ts';
import { programHelp } from './help.ts';
import { type Io, programName, setting } from './io.ts';
import { withDisplay } from './output/display.ts';

/** Tells whether the output is for a program. Reads the arguments without commander, because parsing may have failed. */
const isForProgram = (args: readonly string[]): boolean =>
  args.some((arg) => arg === '--json' || arg === '--fields' || arg.startsWith('--fields='));

export async function fail(
  error: unknown,
  args: readonly string[],
  io: Io,
  program?: Command,
): Promise<number> {
  if (isEarlyEnd(error)) return exitCodes.ok;
  const { toCliError } = await import('./service/to-cli-error.ts');
  const { report } = await import('./output/report-error.ts');
  const problem = toCliError(error, { args, program, name: programName(io) });
  const forProgram = isForProgram(args) && !isOutputError(problem);
  try {
    await report(problem, io, forProgram);
  } catch (unwritten) {
    if (isEarlyEnd(unwritten)) return exitCodes.ok;
    await report(problem, io, false);
  }
  return problem.details.exitCode;
}

/** Tells whether the user is at a terminal without any configuration. */
async function isNewcomer(io: Io): Promise<boolean> {
  if (!io.terminal || io.stdout.isTTY !== true) return false;
  if (['TOPUP_BASE_URL', 'TOPUP_API_KEY'].some((name) => setting(io, name) !== undefined)) return false;
  const { configPath, readConfigFile } = await import('./config/file.ts');
  return Object.keys(readConfigFile(configPath(io)).profiles).length === 0;
}

/** Returns the words to run; `topup` alone starts the guide for a new user. */
const wordsOf = async (args: readonly string[], io: Io): Promise<readonly string[]> =>
  args.length === 0 && (await isNewcomer(io)) ? ['guide'] : inTodaysNames(args);

/** Tells whether the words ask only for the help of `topup` itself. */
const asksForHelp = ([first = 'help', ...others]: readonly string[]): boolean =>
  others.length === 0 && ['help', '--help', '-h'].includes(first);

/**
 * Runs one command line and returns its exit code; never rejects.
 *
 * @example
 * process.exitCode = await main(['games', 'list'], { stdout, stderr, environment: process.env });
 */
export async function main(args: readonly string[], io: Io): Promise<number> {
  let program: Command | undefined;
  try {
    if (args[0] === '__complete') {
      const { printCompletions } = await import('./completion/complete.ts');
      const { loadProgram } = await import('./program.ts');
      await printCompletions(args.slice(1), io, loadProgram);
      return exitCodes.ok;
    }
    const words = await wordsOf(args, io);
    if (asksForHelp(words)) {
      await io.stdout.write(programHelp(io));
      return exitCodes.ok;
    }
    if (!isForProgram(args) && !args.includes('--quiet') && !args.includes('-q'))
      for (const renamed of renamings(args, programName(io))) io.stderr.write(`${renamed}\n`);
    const { loadProgram, runProgram } = await import('./program.ts');
    const loaded = await loadProgram(io, (noun) => words.includes(noun));
    program = loaded;
    await withDisplay(io, () => runProgram(loaded, words));
    return exitCodes.ok;
  } catch (error) {
    if (error instanceof QuietExit) return error.exitCode;
    return fail(error, inTodaysNames(args), io, program);
  }
}
