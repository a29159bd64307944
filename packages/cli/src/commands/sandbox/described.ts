import type { FieldRule } from '@topup-kit/core/contract';
import { type Control, controls } from '@topup-kit/core/features/sandbox';
import { Option } from 'commander';
import type { CommandContext } from '../../context.ts';
import { type Define, defineCommand } from '../../define-command.ts';
import { CliError, exitCodes } from '../../errors/cli-error.ts';
import { wholeNumber } from '../../input/arguments.ts';
import { readJsonFile } from '../../input/json-file.ts';
import { isObject } from '../../json.ts';
import { jsonDocument } from '../../output/print.ts';
import type { OutputStyle } from '../../output/style.ts';
import { list, table } from '../../output/table.ts';
import { shellWord, visible } from '../../output/text.ts';
import { connectSandbox } from './controls.ts';

const textOf = (value: unknown): string =>
  value === undefined || value === null
    ? ''
    : visible(typeof value === 'string' ? value : JSON.stringify(value));

/** Shows a list as a table with a column for each field, and anything else as a list of facts. */
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

/** Creates the option for a field. The file of a control may also be an argument. */
function optionFor({ name, description, type, ...rule }: FieldRule, document: string | undefined): Option {
  const option = new Option(`--${name} <${type === 'integer' ? 'number' : 'value'}>`, description);
  if (type === 'integer') option.argParser(wholeNumber);
  if (rule.required && name !== document) option.makeOptionMandatory();
  return option;
}

const hasFormat = (value: unknown): boolean => isObject(value) && typeof value.format === 'string';

/** Returns the content of a control's file. From a saved `--json` result, it returns only the relevant part. */
function contentOf(json: unknown): unknown {
  if (!isObject(json) || hasFormat(json)) return json;
  return Object.values(json).find(hasFormat) ?? json;
}

/** Names the rejected file. Unlike after other rejections, the steps before the failed one remain in effect. */
function explain(error: unknown, name: string, file: string | undefined): unknown {
  if (!(error instanceof CliError) || error.details.code !== 'VALIDATION_ERROR') return error;
  const message = file === undefined ? error.message : `${file === '-' ? 'stdin' : file}: ${error.message}`;
  const exitCode = name === 'play' ? exitCodes.failure : error.details.exitCode;
  return new CliError(message, { ...error.details, exitCode });
}

async function control(
  context: CommandContext,
  name: string,
  { method, document, printed }: Control,
  { options, file }: { options: object; file?: string | undefined },
): Promise<void> {
  const content = file === undefined ? undefined : contentOf(await readJsonFile(context.io, file));
  const input = content === undefined ? options : { ...options, [document ?? '']: content };
  const controls = await connectSandbox(context);
  const data = await controls
    .ask(`/${name}`, {}, method === 'POST' ? input : undefined)
    .catch((error: unknown) => {
      throw explain(error, name, file);
    });
  const written: unknown = printed === undefined ? undefined : Reflect.get(data, printed);
  await context.print({
    document: data,
    screen: (style) => (written === undefined ? screenOf(data, style) : jsonDocument(written)),
  });
}

const flags = (example: Control['example']): string =>
  Object.entries(example ?? {})
    .map(([name, value]) => ` --${name} ${shellWord(String(value))}`)
    .join('');

function defineControl(name: string, described: Control): Define {
  const { fields, document, title, effect, example } = described;
  function addOptions<Built extends { addOption(option: Option): unknown }>(command: Built): Built {
    for (const field of fields) command.addOption(optionFor(field, document));
    return command;
  }
  const shared = { name, description: title.en, help: `It ${effect.en}.` };
  if (document === undefined)
    return defineCommand({
      ...shared,
      build: addOptions,
      example: `sandbox ${name}${flags(example)}`,
      run: (context, options) => control(context, name, described, { options }),
    });
  return defineCommand({
    ...shared,
    build: (command) => addOptions(command.argument('[file]', 'file with the JSON; - reads it from stdin')),
    example: `sandbox ${name} ${name}.json`,
    run: (context, options, file) => control(context, name, described, { options, file }),
  });
}

export const describedCommands: readonly Define[] = Object.entries(controls).map(([name, described]) =>
  defineControl(name, described),
);
