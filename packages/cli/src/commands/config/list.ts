import type { Command } from 'commander';
import { type CommandContext, contextOf } from '../../context.ts';
import { addExample, type Define } from '../../define-command.ts';
import { type Column, table } from '../../output/table.ts';
import { settingsInForce } from './settings-in-force.ts';

const columns: Column[] = [
  { title: 'SETTING' },
  { title: 'VALUE', long: true },
  { title: 'FROM', long: true },
];

async function listSettings(context: CommandContext): Promise<void> {
  const settings = await settingsInForce(context);
  await context.print({
    document: Object.fromEntries(settings.map(({ setting, value, from }) => [setting, { value, from }])),
    screen: (look) =>
      table(
        columns,
        settings.map(({ setting, value, from }) => [setting, value ?? 'none', from ?? '']),
        look,
      ),
  });
}

export const defineList: Define = (config, io) => {
  const command = config
    .command('list')
    .description('List the settings in force, and where each comes from')
    .action((_options: object, self: Command) => listSettings(contextOf(io, self)));
  addExample(command, io, 'config list');
};
