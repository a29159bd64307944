import type { Command } from 'commander';
import { addExample } from '../../command-line.ts';
import type { Io } from '../../io.ts';
import { print } from '../../output/print.ts';
import { type Column, table } from '../../output/table.ts';
import type { Define } from '../define.ts';
import { settingsInForce } from './settings-in-force.ts';

const columns: Column[] = [
  { title: 'SETTING' },
  { title: 'VALUE', long: true },
  { title: 'FROM', long: true },
];

async function listSettings(io: Io, command: Command): Promise<void> {
  const settings = await settingsInForce(io, command);
  await print(io, command, {
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
    .action((_options: object, self: Command) => listSettings(io, self));
  addExample(command, io, 'config list');
};
