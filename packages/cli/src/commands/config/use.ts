import type { Command } from 'commander';
import { changeConfig } from '../../config/edit.ts';
import { configPath, findProfile } from '../../config/file.ts';
import { missingProfile } from '../../config/resolve.ts';
import { type CommandContext, contextOf } from '../../context.ts';
import { addExample, asksNoService, type Define } from '../../define-command.ts';
import { setting } from '../../io.ts';

async function useProfile(name: string, context: CommandContext): Promise<void> {
  const path = configPath(context.io);
  await changeConfig(path, (config) => {
    if (!findProfile(config, name)) throw missingProfile(config, { name, path });
    return { ...config, profile: name };
  });
  await context.print({
    document: { profile: name },
    screen: () => `Profile ${name} is in use from now on.\n`,
  });
  if (setting(context.io, 'TOPUP_PROFILE') !== undefined)
    context.remark('TOPUP_PROFILE is set, and wins over it.');
}

export const defineUse: Define = (config, io) => {
  const command = config
    .command('use')
    .description('Choose the profile that is in use when none is named')
    .argument('<profile>', 'the profile')
    .action((name: string, _options: object, self: Command) => useProfile(name, contextOf(io, self)));
  addExample(asksNoService(command), io, 'config use shop');
};
