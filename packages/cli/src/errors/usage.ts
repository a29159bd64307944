import type { Command, CommanderError } from 'commander';
import { withoutKeys } from '../settings/masked-key.ts';
import { nearest } from './nearest.ts';
import { type Problem, usageProblem } from './problem.ts';

/** The command line that was wrong. */
export interface CommandLine {
  args: readonly string[];
  /** Undefined where not even that could be made. */
  program: Command | undefined;
  /** How the command is called where it runs. */
  name: string;
}

const and = (words: readonly string[]): string =>
  [words.slice(0, -1).join(', '), ...words.slice(-1)].filter((part) => part !== '').join(' and ');

/** The command that the words name, as far as there is one: `games`, `show`. */
function named({ args, program }: CommandLine): Command[] {
  const path: Command[] = [];
  for (const arg of args) {
    const next = (path.at(-1) ?? program)?.commands.find((command) => command.name() === arg);
    if (next) path.push(next);
  }
  return path;
}

/** Where to read what would be right: the verbs of a noun are few enough to be told at once. */
function whereToLook({ code }: CommanderError, line: CommandLine): string {
  const path = named(line);
  const called = [line.name, ...path.map((command) => command.name())].join(' ');
  if (code !== 'commander.unknownCommand') return `\`${called} --help\` shows what it takes.`;
  const verbs = path.at(-1)?.commands.map((command) => command.name());
  return verbs ? `\`${called}\` takes ${and(verbs)}.` : `\`${called} --help\` lists the commands.`;
}

const didYouMean = (words: string | undefined): string[] => (words ? [`Did you mean ${words}?`] : []);

/** What commander guesses, or what it doesn't: among the choices of an option. */
function guess(message: string): string | undefined {
  const choice = /argument '(.*)' is invalid\. Allowed choices are (.*)\.$/.exec(message);
  if (choice) return nearest(choice[1] ?? '', choice[2]?.split(', ') ?? []).join(' or ');
  return /\(Did you mean (.*)\?\)$/.exec(message)?.[1];
}

/** A wrong command line in our words, with what may have been meant. */
export function commandLineProblem(error: CommanderError, line: CommandLine): Problem {
  const [first = ''] = withoutKeys(error.message)
    .replace(/^error: /, '')
    .split('\n(Did you mean');
  const message = `${first.charAt(0).toUpperCase()}${first.slice(1)}${first.endsWith('.') ? '' : '.'}`;
  return usageProblem(message, [...didYouMean(guess(error.message)), whereToLook(error, line)].join('\n'));
}
