import type { Command } from 'commander';
import { configPath } from '../../config/file.ts';
import { type CommandContext, contextOf } from '../../context.ts';
import { addExample, asksNoService, type Define } from '../../define-command.ts';
import { printable } from '../../output/text.ts';

async function showPath(context: CommandContext): Promise<void> {
  const path = configPath(context.io);
  await context.print({ document: { config_file: path }, screen: () => `${printable(path)}\n` });
}

export const definePath: Define = (config, io) => {
  const command = config
    .command('path')
    .description('Print where the config file is, whether or not there is one')
    .action((_options: object, self: Command) => showPath(contextOf(io, self)));
  addExample(asksNoService(command), io, 'config path');
};
