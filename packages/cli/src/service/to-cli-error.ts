import { suggestSimilar } from '@topup-kit/core/contract';
import { type Command, CommanderError } from 'commander';
import { maskKeys } from '../config/resolve.ts';
import { CliError, type ExitCode, exitCodes, reasonOf, usageError } from '../errors/cli-error.ts';
import { updateHint, upgradeHints } from './hints.ts';

interface CommandLine {
  args: readonly string[];
  /** Program; undefined if it could not be loaded. */
  program: Command | undefined;
  /** Command with which the user started the program. */
  name: string;
}

const and = (words: readonly string[]): string =>
  [words.slice(0, -1).join(', '), ...words.slice(-1)].filter((part) => part !== '').join(' and ');

/** Returns the named commands: `games`, `show`. */
function named({ args, program }: CommandLine): Command[] {
  const path: Command[] = [];
  for (const arg of args) {
    const next = (path.at(-1) ?? program)?.commands.find((command) => command.name() === arg);
    if (next) path.push(next);
  }
  return path;
}

/** Returns the command that shows the correct usage; a noun with few verbs lists its verbs directly. */
function whereToLook({ code }: CommanderError, line: CommandLine): string {
  const path = named(line);
  const called = [line.name, ...path.map((command) => command.name())].join(' ');
  if (code !== 'commander.unknownCommand') return `\`${called} --help\` shows how to use it.`;
  const verbs = path.at(-1)?.commands.map((command) => command.name());
  return verbs ? `\`${called}\` takes ${and(verbs)}.` : `\`${called} --help\` lists the commands.`;
}

const didYouMean = (words: string | undefined): string[] => (words ? [`Did you mean ${words}?`] : []);

/** Returns commander's suggestion, or ours for an option's choices, for which commander has none. */
function guess(message: string): string | undefined {
  const choice = /argument '(.*)' is invalid\. Allowed choices are (.*)\.$/.exec(message);
  if (choice) return suggestSimilar(choice[1] ?? '', choice[2]?.split(', ') ?? []).join(' or ');
  return /\(Did you mean (.*)\?\)$/.exec(message)?.[1];
}

/** Creates the error for an invalid command line, with a suggestion. */
function commandLineError(error: CommanderError, line: CommandLine): CliError {
  const [first = ''] = maskKeys(error.message)
    .replace(/^error: /, '')
    .split('\n(Did you mean');
  const message = `${first.charAt(0).toUpperCase()}${first.slice(1)}${first.endsWith('.') ? '' : '.'}`;
  return usageError(message, [...didYouMean(guess(error.message)), whereToLook(error, line)].join('\n'));
}

/**
 * Returns the exit code for an invalid setting. It is a usage error, even from a variable or a file, because another start doesn't fix it.
 * A used port may become free later.
 */
const configExitCode = (error: Error): ExitCode =>
  'setting' in error && error.setting !== undefined ? exitCodes.usage : exitCodes.failure;

const anotherStore = 'TOPUP_STORE (or --store)';
const nameFile = `Name a file with ${anotherStore}, such as file:./data/topup.db.`;

/** Details of the command's error for a server error. Any other problem is a plain failure. */
interface ServerProblem {
  exitCode?: ExitCode;
  hint?: string;
}

const storeFileProblems: ReadonlyMap<unknown, ServerProblem> = new Map(
  Object.entries<ServerProblem>({
    is_a_folder: { exitCode: exitCodes.usage, hint: nameFile },
    not_a_file: { exitCode: exitCodes.usage, hint: nameFile },
    needs_upgrade: { exitCode: exitCodes.rejected, hint: upgradeHints.file },
    not_writable: {
      hint: `Run this as a user with write access to the file, its folder and the files next to it (-wal, -shm), or choose another place with ${anotherStore}. \`ls -ld\` shows who has access.`,
    },
    disk_full: { hint: `Free some space, or choose another place with ${anotherStore}.` },
    newer_version: { hint: updateHint },
    served_already: { hint: `Stop that server first, or give this one another file with ${anotherStore}.` },
    damaged: {
      hint: 'To find out more, run `topup db status --check`. To restore a backup, run `topup restore FILE`. Both need --store.',
    },
  }),
);

const postgresProblems: ReadonlyMap<unknown, ServerProblem> = new Map(
  Object.entries<ServerProblem>({
    unreachable: {
      exitCode: exitCodes.network,
      hint: `Check that it runs, and that ${anotherStore} names it.`,
    },
    not_a_store: { exitCode: exitCodes.notFound },
    needs_upgrade: { exitCode: exitCodes.rejected, hint: upgradeHints.postgres },
    newer_version: { hint: updateHint },
    refused: {
      hint: `Check the address in ${anotherStore}: user, password, database. The database should belong to the user.`,
    },
  }),
);

/** Converts a server's error. It is recognised by name, because importing the server's errors would load the server for every command. */
function fromServerError(error: Error): CliError | undefined {
  const { name, message } = error;
  if (name === 'ConfigError')
    return new CliError(message, { code: 'CONFIG', exitCode: configExitCode(error), cause: error });
  if (name !== 'PostgresError' && name !== 'StoreFileError') return undefined;
  const isFile = name === 'StoreFileError';
  const problem = 'problem' in error ? error.problem : undefined;
  const { exitCode = exitCodes.failure, hint } =
    (isFile ? storeFileProblems : postgresProblems).get(problem) ?? {};
  const code = problem === 'needs_upgrade' ? 'NEEDS_UPGRADE' : isFile ? 'STORE_FILE' : 'STORE';
  return new CliError(message, { code, exitCode, hint, cause: error });
}

const isLostFolder = (error: unknown): boolean =>
  error instanceof Error && 'syscall' in error && error.syscall === 'uv_cwd';

export function fromThrown(error: unknown): CliError {
  if (error instanceof CliError) return error;
  const known = error instanceof Error ? fromServerError(error) : undefined;
  if (known) return known;
  if (isLostFolder(error))
    return new CliError('The current folder no longer exists.', {
      code: 'NO_FOLDER',
      exitCode: exitCodes.notFound,
      hint: 'Change to another folder and run the command again.',
      cause: error,
    });
  return new CliError(`Unexpected error: ${reasonOf(error)}`, {
    code: 'UNEXPECTED',
    exitCode: exitCodes.failure,
    hint: 'Please report it. TOPUP_DEBUG=1 shows where it happened.',
    cause: error,
  });
}

export const toCliError = (error: unknown, line: CommandLine): CliError =>
  error instanceof CommanderError ? commandLineError(error, line) : fromThrown(error);
