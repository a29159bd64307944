import { Argument, type Command } from 'commander';
import { addExample } from '../../command-line.ts';
import { contextOf } from '../../context.ts';
import { chooseProfile } from '../../settings/choose-profile.ts';
import { type ProfileSetting, profileSettings } from '../../settings/config.ts';
import type { Define } from '../define.ts';
import { asksNoService } from '../service-options.ts';
import { changeSetting } from './change.ts';

export const defineUnset: Define = (config, io) => {
  const command = config
    .command('unset')
    .description('Take a setting away from the profile')
    .addArgument(new Argument('<setting>', 'the setting').choices(profileSettings))
    .action(async (name: ProfileSetting, _options: object, self: Command) => {
      chooseProfile(contextOf(io, self));
      await changeSetting(contextOf(io, self), { name, value: undefined });
    });
  addExample(asksNoService(command), io, 'config unset store');
};
