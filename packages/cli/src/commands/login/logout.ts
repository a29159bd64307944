import type { Command } from 'commander';
import { addExample } from '../../command-line.ts';
import type { Io } from '../../io.ts';
import { print, remark } from '../../output/print.ts';
import { changeProfile } from '../../settings/change-profile.ts';
import { chooseProfile } from '../../settings/choose-profile.ts';
import { overruled } from '../../settings/overruled.ts';
import type { Define } from '../define.ts';

async function logout(io: Io, command: Command): Promise<void> {
  const profile = chooseProfile(io, command);
  const { name, settings } = profile;
  const kept = settings.api_key !== undefined;
  if (kept)
    await changeProfile({
      ...profile,
      change: ({ api_key: _forgotten, ...others }) => others,
    });
  await print(io, command, {
    document: { profile: name, forgotten: kept },
    screen: () => (kept ? `The key of profile ${name} is forgotten.\n` : `Profile ${name} keeps no key.\n`),
  });
  if (kept) remark(io, command, 'It still works for whoever has it: end it at the service if nobody should.');
  const wins = overruled(io, 'api_key');
  if (wins !== undefined) remark(io, command, wins);
}

export const defineLogout: Define = (command, io) => {
  command.action((_options: object, self: Command) => logout(io, self));
  addExample(command, io, 'logout --profile shop');
};
