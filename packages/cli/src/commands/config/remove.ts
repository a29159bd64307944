import type { Command } from 'commander';
import { changeConfig } from '../../config/edit.ts';
import { type Config, configPath, findProfile, readConfigFile } from '../../config/file.ts';
import { missingProfile } from '../../config/resolve.ts';
import { type CommandContext, contextOf } from '../../context.ts';
import { addExample, asksNoService, type Define } from '../../define-command.ts';
import { confirm, yesOption } from '../../input/prompts.ts';

function without({ profile, profiles }: Config, name: string): Config {
  const { [name]: _removed, ...others } = profiles;
  return { ...(profile !== undefined && profile !== name && { profile }), profiles: others };
}

interface Options {
  yes?: true;
}

async function removeProfile(name: string, { yes }: Options, context: CommandContext): Promise<void> {
  const path = configPath(context.io);
  const config = readConfigFile(path);
  const profile = findProfile(config, name);
  if (!profile) throw missingProfile(config, { name, path });
  const lost = profile.api_key === undefined ? 'its settings are' : 'its settings and its key are';
  await confirm(context, { yes, consequence: `Without profile ${name}, ${lost} forgotten here.` });
  await changeConfig(path, (now) => without(now, name));
  await context.print({
    document: { removed: name },
    screen: () => `Profile ${name} is removed.\n`,
  });
}

export const defineRemove: Define = (config, io) => {
  const command = config
    .command('remove')
    .description('Forget a profile with all that it sets')
    .argument('<profile>', 'the profile')
    .option(...yesOption)
    .action((name: string, options: Options, self: Command) =>
      removeProfile(name, options, contextOf(io, self)),
    );
  addExample(asksNoService(command), io, 'config remove shop');
};
