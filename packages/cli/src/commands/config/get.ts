import { Argument, type Command } from 'commander';
import { type CommandContext, contextOf } from '../../context.ts';
import { addExample, asksNoService, type Define } from '../../define-command.ts';
import { exitCodes, Problem } from '../../errors/cli-error.ts';
import { printable } from '../../output/text.ts';
import { settingsInForce } from './settings-in-force.ts';

async function getSetting(name: string, context: CommandContext): Promise<void> {
  const found = (await settingsInForce(context)).find(({ setting }) => setting === name);
  const value = found?.value;
  if (!value)
    throw new Problem(`Nothing sets ${name}.`, {
      code: 'NOT_SET',
      exitCode: exitCodes.notFound,
      hint: 'A key is kept with `topup login`, any other setting with `topup config set`.',
    });
  await context.print({ document: found, screen: () => `${printable(value)}\n` });
}

export const defineGet: Define = (config, io) => {
  const command = config
    .command('get')
    .description('Print the value of a setting that is in force; of a key only its end')
    .addArgument(
      new Argument('<setting>', 'the setting').choices(['profile', 'base_url', 'api_key', 'store']),
    )
    .action((name: string, _options: object, self: Command) => getSetting(name, contextOf(io, self)));
  addExample(asksNoService(command), io, 'config get base_url');
};
