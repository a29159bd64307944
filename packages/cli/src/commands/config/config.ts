import { Argument } from '@commander-js/extra-typings';
import { maskCredentials } from '@topup-kit/core/http';
import { configPath, configSource, readConfigFile } from '../../config/file.ts';
import { maskKey, namedProfile } from '../../config/resolve.ts';
import type { CommandContext } from '../../context.ts';
import { defineCommand, defineGroup } from '../../define-command.ts';
import { CliError, exitCodes } from '../../errors/cli-error.ts';
import { programName } from '../../io.ts';
import { type ColumnOf, tableOf } from '../../output/table.ts';
import { printable } from '../../output/text.ts';
import { chooseBaseUrl, chooseKey } from '../../service/connection.ts';
import { chooseStore } from '../../store/open.ts';
import { removeProfile, setSetting, unsetSetting, useProfile } from './edit.ts';

/** Effective value of a setting; a key is masked. */
interface InForce {
  setting: string;
  /** Value; null if nothing sets it. */
  value: string | null;
  /** Source of the value: `TOPUP_BASE_URL`, `profile shop` or `default`; null if nothing sets it. */
  from: string | null;
}

function profileSource({ from, isThere }: ReturnType<typeof namedProfile>): string {
  const source = from === 'config' ? 'config file' : from;
  return isThere || from === 'default' ? source : `${source}, but there is none`;
}

/** Reads the effective settings with their sources. */
async function settingsInForce(context: CommandContext): Promise<InForce[]> {
  const profile = namedProfile(context);
  const baseUrl = chooseBaseUrl(context, profile);
  const key = await chooseKey(context, baseUrl.value, profile);
  const store = chooseStore(context, undefined, { profile });
  return [
    { setting: 'config_file', value: profile.path, from: configSource(context.io) },
    { setting: 'profile', value: profile.name, from: profileSource(profile) },
    { setting: 'base_url', value: maskCredentials(baseUrl.value), from: baseUrl.source },
    { setting: 'api_key', value: key ? maskKey(key.value) : null, from: key?.source ?? null },
    { setting: 'store', value: maskCredentials(store.value), from: store.source },
  ];
}

const settingColumns: ColumnOf<InForce>[] = [
  [{ title: 'SETTING' }, ({ setting }) => setting],
  [{ title: 'VALUE', long: true }, ({ value }) => value ?? 'none'],
  [{ title: 'FROM', long: true }, ({ from }) => from ?? ''],
];

const listSettings = defineCommand({
  name: 'list',
  description: 'List the effective settings, and where each comes from',
  example: 'config list',
  async run(context) {
    const settings = await settingsInForce(context);
    await context.print({
      document: Object.fromEntries(settings.map(({ setting, value, from }) => [setting, { value, from }])),
      screen: (style) => tableOf(settingColumns, settings, style),
    });
  },
});

const getSetting = defineCommand({
  name: 'get',
  description: 'Print the effective value of a setting; a key is masked',
  build: (command) =>
    command.addArgument(
      new Argument('<setting>', 'the setting').choices(['profile', 'base_url', 'api_key', 'store']),
    ),
  example: 'config get base_url',
  asksService: false,
  async run(context, _options, name) {
    const inForce = (await settingsInForce(context)).find(({ setting }) => setting === name);
    const value = inForce?.value;
    if (!value)
      throw new CliError(`Nothing sets ${name}.`, {
        code: 'NOT_SET',
        exitCode: exitCodes.notFound,
        hint: 'Set a key with `topup login`, any other setting with `topup config set`.',
      });
    await context.print({ document: inForce, screen: () => `${printable(value)}\n` });
  },
});

function shownProfiles(context: CommandContext, path: string) {
  const used = namedProfile(context).name;
  return Object.entries(readConfigFile(path).profiles).map(
    ([name, { base_url = null, api_key, store = null }]) => ({
      name,
      base_url: base_url && maskCredentials(base_url),
      store: store && maskCredentials(store),
      api_key: api_key === undefined ? null : maskKey(api_key),
      in_use: name === used,
    }),
  );
}

const profileColumns: ColumnOf<ReturnType<typeof shownProfiles>[number]>[] = [
  [{ title: 'PROFILE' }, ({ name }) => name],
  [{ title: 'BASE URL', long: true }, ({ base_url }) => base_url ?? ''],
  [{ title: 'KEY' }, ({ api_key }) => api_key ?? ''],
  [{ title: 'STORE', long: true }, ({ store }) => store ?? ''],
  [{ title: 'NOW', style: () => 'good' }, ({ in_use }) => (in_use ? 'in use' : '')],
];

const listProfiles = defineCommand({
  name: 'profiles',
  description: 'List the profiles',
  example: 'config profiles',
  asksService: false,
  async run(context) {
    const path = configPath(context.io);
    const profiles = shownProfiles(context, path);
    await context.print({
      document: { profiles },
      ids: profiles.map(({ name }) => name),
      screen: (style) => tableOf(profileColumns, profiles, style),
    });
    if (profiles.length === 0)
      context.remark(`No profiles in ${path} yet. To make one:\n  ${programName(context.io)} login`);
  },
});

const showPath = defineCommand({
  name: 'path',
  description: 'Print the path of the config file, whether or not it exists',
  example: 'config path',
  asksService: false,
  async run(context) {
    const path = configPath(context.io);
    await context.print({ document: { config_file: path }, screen: () => `${printable(path)}\n` });
  },
});

export const noun = defineGroup(
  `A flag takes precedence over the environment, the environment over the profile,
and the profile over the default. These commands contact no service and open no
store. A profile can set:
  base_url  the service to connect to (TOPUP_BASE_URL, --base-url)
  api_key   the API key to use (TOPUP_API_KEY, --key-file)
  store     the store for operators' commands (TOPUP_STORE, --store)`,
  [
    ...[listSettings, getSetting, setSetting, unsetSetting],
    ...[listProfiles, useProfile, removeProfile, showPath],
  ],
);
