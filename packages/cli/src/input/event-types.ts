import { InvalidArgumentError, Option } from '@commander-js/extra-typings';

/** Adds the events of one `--events` option, in any order. */
function addTypes<Type extends string>(
  text: string,
  before: readonly Type[] | undefined,
  known: readonly Type[],
): readonly Type[] {
  const added: string[] = text.split(',').flatMap((name) => (name === 'all' ? known : name));
  if (added.some((name) => !known.some((type) => type === name)))
    throw new InvalidArgumentError(`Allowed choices are ${['all', ...known].join(', ')}.`);
  return known.filter((type) => before?.includes(type) || added.includes(type));
}

/** Creates the option `--events`, which can be repeated or separated by commas. `all` selects every event. */
export const eventsOption = <Type extends string>(description: string, known: readonly Type[]) =>
  new Option('--events <type...>', description)
    .choices(['all', ...known])
    .argParser((text: string, before: readonly Type[] | undefined) => addTypes(text, before, known));
