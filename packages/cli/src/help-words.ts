import type { Command } from 'commander';

const isKnown = (command: Command, [name, ...rest]: readonly string[]): boolean => {
  if (name === undefined || command.commands.length === 0) return true;
  const next = command.commands.find((one) => one.name() === name);
  return next !== undefined && isKnown(next, rest);
};

/** `help orders create` is `orders create --help`, and what is no command is refused as it is without `help`. */
export function helpWords(program: Command, words: readonly string[]): readonly string[] {
  const [first, ...names] = words;
  if (first !== 'help' || names.length === 0) return words;
  return isKnown(program, names) ? [...names, '--help'] : names;
}
