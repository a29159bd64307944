import { Argument, type Command } from 'commander';
import { type ProfileSetting, profileSettings } from '../../config/file.ts';
import { chooseProfile } from '../../config/resolve.ts';
import { contextOf } from '../../context.ts';
import { addExample, asksNoService, type Define } from '../../define-command.ts';
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
