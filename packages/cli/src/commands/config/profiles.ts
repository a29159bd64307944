import type { Command } from 'commander';
import { configPath, readConfigFile } from '../../config/file.ts';
import { maskedKey, namedProfile, withoutCredentials } from '../../config/resolve.ts';
import { type CommandContext, contextOf } from '../../context.ts';
import { addExample, asksNoService, type Define } from '../../define-command.ts';
import { programName } from '../../io.ts';
import { type Column, table } from '../../output/table.ts';

const columns: Column[] = [
  { title: 'PROFILE' },
  { title: 'BASE URL', long: true },
  { title: 'KEY' },
  { title: 'STORE', long: true },
  { title: 'NOW', style: () => 'good' },
];

async function listProfiles(context: CommandContext): Promise<void> {
  const path = configPath(context.io);
  const used = namedProfile(context).name;
  const profiles = Object.entries(readConfigFile(path).profiles).map(
    ([name, { base_url = null, api_key, store = null }]) => ({
      name,
      base_url: base_url && withoutCredentials(base_url),
      store,
      api_key: api_key === undefined ? null : maskedKey(api_key),
      in_use: name === used,
    }),
  );
  const asRow = ({ name, base_url, api_key, store, in_use }: (typeof profiles)[number]): string[] => [
    ...[name, base_url ?? '', api_key ?? '', store ?? '', in_use ? 'in use' : ''],
  ];
  await context.print({
    document: { profiles },
    ids: profiles.map(({ name }) => name),
    screen: (look) => (profiles.length === 0 ? '' : table(columns, profiles.map(asRow), look)),
  });
  if (profiles.length === 0)
    context.remark(`No profiles in ${path} yet. To make one:\n  ${programName(context.io)} login`);
}

export const defineProfiles: Define = (config, io) => {
  const command = config
    .command('profiles')
    .description('List the profiles')
    .action((_options: object, self: Command) => listProfiles(contextOf(io, self)));
  addExample(asksNoService(command), io, 'config profiles');
};
