import type { Command } from 'commander';
import { addExample } from '../../command-line.ts';
import type { Io } from '../../io.ts';
import { print } from '../../output/print.ts';
import { printable } from '../../output/printable.ts';
import { configPath } from '../../settings/config-path.ts';
import type { Define } from '../define.ts';
import { asksNoService } from '../service-options.ts';

async function showPath(io: Io, command: Command): Promise<void> {
  const path = configPath(io);
  await print(io, command, { document: { config_file: path }, screen: () => `${printable(path)}\n` });
}

export const definePath: Define = (config, io) => {
  const command = config
    .command('path')
    .description('Print where the config file is, whether or not there is one')
    .action((_options: object, self: Command) => showPath(io, self));
  addExample(asksNoService(command), io, 'config path');
};
