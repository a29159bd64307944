import { nearest } from '@topup-kit/core/contract';
import { type Command, CommanderError } from 'commander';
import { maskKeys } from '../config/resolve.ts';
import { CliError, type ExitCode, exitCodes, reasonOf, usageError } from '../errors/cli-error.ts';
import { upgradeHints } from './hints.ts';

/** The command line that was wrong. */
interface CommandLine {
  args: readonly string[];
  /** Undefined when the program could not be loaded. */
  program: Command | undefined;
  /** How the user started the command. */
  name: string;
}

const and = (words: readonly string[]): string =>
  [words.slice(0, -1).join(', '), ...words.slice(-1)].filter((part) => part !== '').join(' and ');

/** The commands that the words name: `games`, `show`. */
function named({ args, program }: CommandLine): Command[] {
  const path: Command[] = [];
  for (const arg of args) {
    const next = (path.at(-1) ?? program)?.commands.find((command) => command.name() === arg);
    if (next) path.push(next);
  }
  return path;
}

/** Where to find the correct usage; the few verbs of a noun are listed directly. */
function whereToLook({ code }: CommanderError, line: CommandLine): string {
  const path = named(line);
  const called = [line.name, ...path.map((command) => command.name())].join(' ');
  if (code !== 'commander.unknownCommand') return `\`${called} --help\` shows how to use it.`;
  const verbs = path.at(-1)?.commands.map((command) => command.name());
  return verbs ? `\`${called}\` takes ${and(verbs)}.` : `\`${called} --help\` lists the commands.`;
}

const didYouMean = (words: string | undefined): string[] => (words ? [`Did you mean ${words}?`] : []);

/** Commander's own suggestion, or ours for the choices of an option, for which it has none. */
function guess(message: string): string | undefined {
  const choice = /argument '(.*)' is invalid\. Allowed choices are (.*)\.$/.exec(message);
  if (choice) return nearest(choice[1] ?? '', choice[2]?.split(', ') ?? []).join(' or ');
  return /\(Did you mean (.*)\?\)$/.exec(message)?.[1];
}

/** An invalid command line, with a suggestion. */
function commandLineError(error: CommanderError, line: CommandLine): CliError {
  const [first = ''] = maskKeys(error.message)
    .replace(/^error: /, '')
    .split('\n(Did you mean');
  const message = `${first.charAt(0).toUpperCase()}${first.slice(1)}${first.endsWith('.') ? '' : '.'}`;
  return usageError(message, [...didYouMean(guess(error.message)), whereToLook(error, line)].join('\n'));
}

/**
 * An invalid value of a setting is a usage error, even if it comes from a variable or a file: another start doesn't correct
 * it. A port that is taken may be free later.
 */
const configExitCode = (error: Error): ExitCode =>
  'setting' in error && error.setting !== undefined ? exitCodes.usage : exitCodes.failure;

const anotherStore = 'TOPUP_STORE (or --store)';
const nameFile = `Name a file with ${anotherStore}, such as file:./data/topup.db.`;

const exitCodesOfStoreFile: ReadonlyMap<unknown, ExitCode> = new Map([
  ['is_a_folder', exitCodes.usage],
  ['not_a_file', exitCodes.usage],
  ['needs_upgrade', exitCodes.rejected],
]);

const hintsOfStoreFile: ReadonlyMap<unknown, string> = new Map([
  ['is_a_folder', nameFile],
  ['not_a_file', nameFile],
  [
    'not_writable',
    `Run this as a user who may write the file, its folder and what is beside it (\`ls -ld\` shows who may), or name another place with ${anotherStore}.`,
  ],
  ['disk_full', `Free some space, or name another place with ${anotherStore}.`],
  ['newer_version', 'Use a topup at least as new as the one that wrote it.'],
  ['needs_upgrade', upgradeHints.file],
  ['served_already', `Stop that server first, or give this one another file with ${anotherStore}.`],
  [
    'damaged',
    '`topup db status --check` says more. Restore a backup: topup restore FILE. Name the store in both with --store.',
  ],
]);

const exitCodesOfPostgres: ReadonlyMap<unknown, ExitCode> = new Map([
  ['unreachable', exitCodes.network],
  ['not_a_store', exitCodes.notFound],
  ['needs_upgrade', exitCodes.rejected],
]);

const hintsOfPostgres: ReadonlyMap<unknown, string> = new Map([
  ['needs_upgrade', upgradeHints.postgres],
  ['unreachable', `Check that it runs, and that ${anotherStore} names it.`],
  [
    'refused',
    `Check the address in ${anotherStore}: user, password, database. The database should belong to the user.`,
  ],
]);

/** Recognised by name, because importing the server's errors would load it for every command. */
function fromServerError(error: Error): CliError | undefined {
  const { name, message } = error;
  if (name === 'ConfigError')
    return new CliError(message, { code: 'CONFIG', exitCode: configExitCode(error), cause: error });
  const problem = 'problem' in error ? error.problem : undefined;
  if (name === 'PostgresError')
    return new CliError(message, {
      code: problem === 'needs_upgrade' ? 'NEEDS_UPGRADE' : 'STORE',
      exitCode: exitCodesOfPostgres.get(problem) ?? exitCodes.failure,
      hint: hintsOfPostgres.get(problem),
      cause: error,
    });
  if (name !== 'StoreFileError') return undefined;
  return new CliError(message, {
    code: problem === 'needs_upgrade' ? 'NEEDS_UPGRADE' : 'STORE_FILE',
    exitCode: exitCodesOfStoreFile.get(problem) ?? exitCodes.failure,
    hint: hintsOfStoreFile.get(problem),
    cause: error,
  });
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
    hint: 'Set TOPUP_DEBUG=1 to see where, and please report it.',
    cause: error,
  });
}

export const toCliError = (error: unknown, line: CommandLine): CliError =>
  error instanceof CommanderError ? commandLineError(error, line) : fromThrown(error);
