import type { FieldRule } from '@topup-kit/core/contract';
import { type Control, controls } from '@topup-kit/core/features/sandbox';
import { Option } from 'commander';
import type { CommandContext } from '../../context.ts';
import { type Define, defineCommand } from '../../define-command.ts';
import { wholeNumber } from '../../input/arguments.ts';
import { isObject } from '../../json.ts';
import type { OutputStyle } from '../../output/style.ts';
import { list, table } from '../../output/table.ts';
import { visible } from '../../output/text.ts';
import { connectSandbox } from './controls.ts';

const textOf = (value: unknown): string =>
  value === undefined || value === null
    ? ''
    : visible(typeof value === 'string' ? value : JSON.stringify(value));

/** A list as a table with a column for each field that one of its items has; anything else as a list of facts. */
function screenOf(data: object, style: OutputStyle): string {
  return Object.entries(data)
    .map(([name, value]) => {
      if (!Array.isArray(value))
        return list(isObject(value) ? factsOf(value) : [[name, textOf(value)]], style);
      const items = value.filter(isObject);
      const columns = [...new Set(items.flatMap((item) => Object.keys(item)))];
      return table(
        columns.map((title) => ({ title: title.toUpperCase() })),
        items.map((item) => columns.map((column) => textOf(item[column]))),
        style,
      );
    })
    .join('\n');
}

const factsOf = (item: Record<string, unknown>): [string, string][] =>
  Object.entries(item).map(([name, value]) => [name, textOf(value)]);

function optionFor({ name, description, type, ...rule }: FieldRule): Option {
  const option = new Option(`--${name} <${type === 'integer' ? 'number' : 'value'}>`, description);
  if (type === 'integer') option.argParser(wholeNumber);
  if (rule.required) option.makeOptionMandatory();
  return option;
}

async function control(
  context: CommandContext,
  name: string,
  { method }: Control,
  input: object,
): Promise<void> {
  const controls = await connectSandbox(context);
  const data = await controls.ask(`/${name}`, {}, method === 'POST' ? input : undefined);
  await context.print({ document: data, screen: (style) => screenOf(data, style) });
}

const flags = (example: Control['example']): string =>
  Object.entries(example ?? {})
    .map(([name, value]) => ` --${name} ${value}`)
    .join('');

/** The commands of the controls that are described once. */
export const describedCommands: readonly Define[] = Object.entries(controls).map(([name, described]) =>
  defineCommand({
    name,
    description: described.title.en,
    help: `It ${described.effect.en}.`,
    build(command) {
      for (const field of described.fields) command.addOption(optionFor(field));
      return command;
    },
    example: `sandbox ${name}${flags(described.example)}`,
    run: (context, options) => control(context, name, described, options),
  }),
);
