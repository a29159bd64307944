import type { Command } from 'commander';
import { addExample } from '../../command-line.ts';
import { type Io, setting } from '../../io.ts';
import { print, remark } from '../../output/print.ts';
import { changeConfig } from '../../settings/change-config.ts';
import { missingProfile } from '../../settings/choose-profile.ts';
import { findProfile } from '../../settings/config.ts';
import { configPath } from '../../settings/config-path.ts';
import type { Define } from '../define.ts';
import { asksNoService } from '../service-options.ts';

async function useProfile(name: string, io: Io, command: Command): Promise<void> {
  const path = configPath(io);
  await changeConfig(path, (config) => {
    if (!findProfile(config, name)) throw missingProfile(config, { name, path });
    return { ...config, profile: name };
  });
  await print(io, command, {
    document: { profile: name },
    screen: () => `Profile ${name} is in use from now on.\n`,
  });
  if (setting(io, 'TOPUP_PROFILE') !== undefined)
    remark(io, command, 'TOPUP_PROFILE is set, and wins over it.');
}

export const defineUse: Define = (config, io) => {
  const command = config
    .command('use')
    .description('Choose the profile that is in use when none is named')
    .argument('<profile>', 'the profile')
    .action((name: string, _options: object, self: Command) => useProfile(name, io, self));
  addExample(asksNoService(command), io, 'config use shop');
};
