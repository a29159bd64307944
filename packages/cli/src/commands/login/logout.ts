import type { Command } from 'commander';
import { changeProfile } from '../../config/edit.ts';
import { chooseProfile, overruled } from '../../config/resolve.ts';
import { type CommandContext, contextOf } from '../../context.ts';
import { addExample, type Define } from '../../define-command.ts';

async function logout(context: CommandContext): Promise<void> {
  const profile = chooseProfile(context);
  const { name, settings } = profile;
  const kept = settings.api_key !== undefined;
  if (kept)
    await changeProfile({
      ...profile,
      change: ({ api_key: _forgotten, ...others }) => others,
    });
  await context.print({
    document: { profile: name, forgotten: kept },
    screen: () => (kept ? `The key of profile ${name} is forgotten.\n` : `Profile ${name} keeps no key.\n`),
  });
  if (kept) context.remark('It still works for whoever has it: end it at the service if nobody should.');
  const wins = overruled(context.io, 'api_key');
  if (wins !== undefined) context.remark(wins);
}

export const defineLogout: Define = (command, io) => {
  command.action((_options: object, self: Command) => logout(contextOf(io, self)));
  addExample(command, io, 'logout --profile shop');
};
