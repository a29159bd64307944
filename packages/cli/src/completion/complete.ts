import type { Command } from 'commander';
import type { Io } from '../io.ts';
import { printable } from '../output/printable.ts';
import { loadProgram } from '../program.ts';
import { findPlace, type Place } from './place.ts';
import type { Completion, Suggestion } from './suggestion.ts';

const commandsOf = (command: Command): Suggestion[] =>
  command
    .createHelp()
    .visibleCommands(command)
    .map((one) => ({ value: one.name(), about: one.description() }));

/** The flags that may still be given, those of the command first. */
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

/** A service may say anything: what can't be typed is left out, and what comes twice too. */
const distinct = (values: readonly Suggestion[]): Suggestion[] => [
  ...new Map(
    values
      .filter(({ value }) => value !== '' && printable(value) === value)
      .map((suggestion) => [suggestion.value, suggestion]),
  ).values(),
];

/** What can stand in the place of the last word; each value is a whole one, and fits what is typed of it. */
export async function complete(words: readonly string[], io: Io): Promise<Completion> {
  const program = await loadProgram(io, (noun) => words.includes(noun));
  const place = findPlace(program, words);
  const values = await valuesAt(place, io);
  if (values === 'files') return { prefix: place.prefix, values };
  return {
    prefix: place.prefix,
    values: distinct(values).filter(({ value }) => value.startsWith(place.typed)),
  };
}
