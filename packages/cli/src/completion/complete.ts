import type { Argument, Command, Option } from 'commander';
import { inTodaysNames } from '../earlier-names.ts';
import type { Io } from '../io.ts';
import { printable } from '../output/text.ts';
import { bashLines, bashWords, fishLines, zshLines } from './shells.ts';
import type { Completion, Suggestion } from './values.ts';

const commandsOf = (command: Command): Suggestion[] =>
  command
    .createHelp()
    .visibleCommands(command)
    .map((command) => ({ value: command.name(), about: command.description() }));

/** Returns the flags that are not given yet, those of the command first. */
function flagsOf(command: Command): Suggestion[] {
  const help = command.createHelp();
  return [...help.visibleOptions(command), ...help.visibleGlobalOptions(command)]
    .filter(
      (option) =>
        option.variadic || command.getOptionValueSourceWithGlobals(option.attributeName()) !== 'cli',
    )
    .map(({ long, short, description }) => ({ value: long ?? short ?? '', about: description }));
}

async function valuesAt(place: Place, io: Io): Promise<readonly Suggestion[] | 'files'> {
  const { command, option, argument, flags, commands, typed } = place;
  const taking = option ?? (typed.startsWith('-') && flags ? undefined : argument);
  if (taking) {
    const { valuesOf } = await import('./values.ts');
    return valuesOf(taking, command, io);
  }
  if (commands && command.commands.length > 0 && !typed.startsWith('-')) return commandsOf(command);
  return flags ? flagsOf(command) : [];
}

/** Drops duplicates and values that can't be typed, because a service may send anything. */
const distinct = (values: readonly Suggestion[]): Suggestion[] => [
  ...new Map(
    values
      .filter(({ value }) => value !== '' && printable(value) === value)
      .map((suggestion) => [suggestion.value, suggestion]),
  ).values(),
];

/** Creates the command line with the nouns that `isNamed` accepts. */
type LoadProgram = (io: Io, isNamed: (noun: string) => boolean) => Promise<Command>;

/** Completes the last word. Each suggested value is a whole word that starts with the typed text. */
async function complete(typed: readonly string[], io: Io, loadProgram: LoadProgram): Promise<Completion> {
  const words = [...inTodaysNames(typed.slice(0, -1)), ...typed.slice(-1)];
  const program = await loadProgram(io, (noun) => words.includes(noun));
  const place = findPlace(program, words);
  const values = await valuesAt(place, io);
  if (values === 'files') return { prefix: place.prefix, values };
  return {
    prefix: place.prefix,
    values: distinct(values).filter(({ value }) => value.startsWith(place.typed)),
  };
}

export interface Place {
  command: Command;
  /** Option whose value comes next. */
  option?: Option | undefined;
  /** Argument that comes next; undefined if there is none. */
  argument?: Argument | undefined;
  flags: boolean;
  /** True if a subcommand is allowed here. */
  commands: boolean;
  typed: string;
  /** Part of the same word before the value, such as `--game=`. */
  prefix: string;
}

const takesValue = ({ required, optional }: Option): boolean => required || optional;

const owners = (command: Command): Command[] =>
  command.parent ? [command, ...owners(command.parent)] : [command];

/** Finds the option of a flag, of the command or of its parents. */
function findOption(command: Command, flag: string): { owner: Command; option: Option } | undefined {
  for (const owner of owners(command)) {
    const option = owner.options.find(({ long, short }) => long === flag || short === flag);
    if (option) return { owner, option };
  }
  return undefined;
}

/** Sets the option as parsing would, so that completion sees the same options as a run. */
const give = ({ owner, option }: { owner: Command; option: Option }, value: unknown): Command =>
  owner.setOptionValueWithSource(option.attributeName(), value, 'cli');

interface Reading {
  command: Command;
  /** Option whose value comes next. */
  pending: { owner: Command; option: Option } | undefined;
  count: number;
  /** True if `--` was given, after which nothing is a flag. */
  plain: boolean;
}

function readFlag(reading: Reading, word: string): void {
  const [, flag = word, value] = /^(--[^=]+)=(.*)$/s.exec(word) ?? [];
  const match = findOption(reading.command, flag);
  if (!match) return;
  if (!takesValue(match.option)) give(match, !match.option.negate);
  else if (value === undefined) reading.pending = match;
  else give(match, value);
}

function readWord(reading: Reading, word: string): void {
  const { command, pending } = reading;
  if (pending) {
    give(pending, word);
    reading.pending = undefined;
  } else if (reading.plain) reading.count += 1;
  else if (word === '--') reading.plain = true;
  else if (word.startsWith('-')) readFlag(reading, word);
  else {
    const next = command.commands.find((command) => command.name() === word);
    if (next) reading.command = next;
    // The words after `help` are also command names.
    else if (word !== 'help' || command.commands.length === 0) reading.count += 1;
  }
}

function findPlace(program: Command, words: readonly string[]): Place {
  const reading: Reading = { command: program, pending: undefined, count: 0, plain: false };
  for (const word of words.slice(0, -1)) readWord(reading, word);
  const { command, count, plain } = reading;
  const last = words.at(-1) ?? '';
  const none = { command, flags: false, commands: false, typed: last, prefix: '' };
  if (reading.pending) return { ...none, option: reading.pending.option };
  const [, flag = '', value = ''] = /^(--[^=]+)=(.*)$/s.exec(last) ?? [];
  const match = plain ? undefined : findOption(command, flag);
  if (match) return { ...none, option: match.option, typed: value, prefix: `${flag}=` };
  const args = command.registeredArguments;
  const argument = args[count] ?? (args.at(-1)?.variadic ? args.at(-1) : undefined);
  return { ...none, argument, flags: !plain, commands: count === 0 && !plain };
}

/** Creates an Io that neither prompts nor reads stdin, because the user is typing at the same terminal. */
const silent = (io: Io): Io => ({
  environment: io.environment,
  signal: io.signal,
  terminal: undefined,
  stdin: (async function* () {})(),
  stdout: { write: () => {} },
  stderr: { write: () => {} },
});

async function completionLines(
  [shell, ...args]: readonly string[],
  io: Io,
  loadProgram: LoadProgram,
): Promise<string[]> {
  const words = shell === 'bash' ? bashWords(args[0] ?? '') : args;
  const completion = await complete(words, io, loadProgram);
  if (shell === 'bash') return bashLines(completion, args);
  return shell === 'zsh' ? zshLines(completion) : fishLines(completion);
}

/** Prints completions for a shell. After any failure, it prints none and no message. */
export async function printCompletions(
  args: readonly string[],
  io: Io,
  loadProgram: LoadProgram,
): Promise<void> {
  const lines = await completionLines(args, silent(io), loadProgram).catch(() => []);
  await io.stdout.write(lines.map((line) => `${line}\n`).join(''));
}
