import { resolve } from 'node:path';
import { Argument } from '@commander-js/extra-typings';
import { maskCredentials } from '@topup-kit/core/http';
import { changeConfig, changeProfile, profileToChange } from '../../config/edit.ts';
import {
  type CliProfile,
  type Config,
  configPath,
  findProfile,
  type ProfileSetting,
  profileSettings,
  readConfigFile,
} from '../../config/file.ts';
import { chooseProfile, isSameOrigin, maskKey, missingProfile, overruled } from '../../config/resolve.ts';
import type { CommandContext } from '../../context.ts';
import { defineCommand } from '../../define-command.ts';
import { CliError, exitCodes, usageError } from '../../errors/cli-error.ts';
import { confirm, createPrompts, yesOption } from '../../input/prompts.ts';
import { askKey, readSecret } from '../../input/secret.ts';
import { programName, setting } from '../../io.ts';
import { shellWord } from '../../output/text.ts';
import { parseBaseUrl } from '../../service/connection.ts';

/** Rejects a change of the URL to another service while the profile has a key, because the key must not be sent to that service. */
function keepKeyAtItsService(
  before: CliProfile,
  baseUrl: string | undefined,
  name: string,
  program: string,
): void {
  if (before.api_key === undefined || before.base_url === undefined) return;
  if (baseUrl !== undefined && isSameOrigin(before.base_url, baseUrl)) return;
  const profile = shellWord(name);
  throw new CliError(`Profile ${name} has a key that belongs to ${maskCredentials(before.base_url)} only.`, {
    code: 'KEY_KEPT',
    exitCode: exitCodes.rejected,
    hint: `Nothing was changed. Remove the key first, or use another profile for the other service:\n  ${program} logout --profile ${profile}\n  ${program} login --profile <name>`,
  });
}

/** Sets or removes a setting of the profile, and reports it. */
async function changeSetting(
  context: CommandContext,
  name: ProfileSetting,
  value: string | undefined,
): Promise<void> {
  const profile = profileToChange(context);
  await changeProfile(profile, (before) => {
    if (name === 'base_url') keepKeyAtItsService(before, value, profile.name, programName(context.io));
    const { [name]: _old, ...others } = before;
    return value === undefined ? others : { ...others, [name]: value };
  });
  const shown = value !== undefined && name === 'api_key' ? maskKey(value) : value;
  const words = shown === undefined ? `no longer sets ${name}` : `sets ${name} to ${shown}`;
  await context.print({
    document: { profile: profile.name, setting: name, value: shown ?? null },
    screen: () => `Profile ${profile.name} ${words}.\n`,
  });
  const wins = value === undefined ? undefined : overruled(context.io, name);
  if (wins !== undefined) context.remark(wins);
}

/** Checks a setting other than the key, and returns the form to store. */
function checkValue(name: Exclude<ProfileSetting, 'api_key'>, value: string): string {
  if (name === 'base_url') {
    if (parseBaseUrl(value)) return value;
    throw usageError(
      'base_url must be an http(s) URL such as https://shop.example/api.',
      'Leave out credentials, query and fragment.',
    );
  }
  const path = /^file:((?!~([\\/]|$)).+)$/.exec(value)?.[1];
  // Stores an absolute path, because later commands may run in another folder.
  if (path !== undefined) return `file:${resolve(path)}`;
  throw usageError(
    'store must be file:PATH, such as file:./data/topup.db; ~ is not expanded.',
    'It is the file in which a server on this machine keeps its orders.',
  );
}

/** Returns the error for a key on the command line, which all users of the machine can see, and which shells save. */
const keyOnCommandLine = (program: string) =>
  usageError(
    'Do not pass a key on the command line, where other users can read it.',
    `Nothing was saved. If that key is in use, consider replacing it. To save a key:\n  ${program} login\nor from a file, - for stdin:\n  ${program} config set api_key --from-file <file>`,
  );

const keyMissing = (program: string) =>
  usageError(
    'config set api_key reads the key from a file, or asks for it at a terminal.',
    `From a file, - for stdin:\n  ${program} config set api_key --from-file <file>`,
  );

async function readKey(context: CommandContext, file: string | undefined): Promise<string> {
  const { name, settings } = profileToChange(context);
  if (settings.base_url === undefined)
    throw usageError(
      `Profile ${name} has no base_url, and each key belongs to one service.`,
      'Set its base_url first, or use `topup login`, which saves both.',
    );
  if (file !== undefined) return readSecret(context.io, file, '--from-file');
  const terminal = context.promptTerminal;
  if (!terminal) throw keyMissing(programName(context.io));
  return askKey(await createPrompts(context.io, terminal));
}

export const setSetting = defineCommand({
  name: 'set',
  description: 'Set a value in the profile; --profile names another profile, or a new one',
  build: (command) =>
    command
      .addArgument(new Argument('<setting>', 'the setting').choices(profileSettings))
      .argument('[value]', 'its value; never give a key here')
      .option('--from-file <file>', 'file with the api_key, - for stdin'),
  example: 'config set base_url https://shop.example/api --profile shop',
  asksService: false,
  async run(context, { fromFile }, name, value) {
    if (name === 'api_key') {
      if (value !== undefined) throw keyOnCommandLine(programName(context.io));
      return changeSetting(context, name, await readKey(context, fromFile));
    }
    if (fromFile !== undefined) throw usageError('--from-file is only for api_key.');
    if (value === undefined) throw usageError(`config set ${name} needs a value.`);
    return changeSetting(context, name, checkValue(name, value));
  },
});

export const unsetSetting = defineCommand({
  name: 'unset',
  description: 'Remove a setting from the profile',
  build: (command) => command.addArgument(new Argument('<setting>', 'the setting').choices(profileSettings)),
  example: 'config unset store',
  asksService: false,
  async run(context, _options, name) {
    // A named profile must exist.
    chooseProfile(context);
    await changeSetting(context, name, undefined);
  },
});

export const useProfile = defineCommand({
  name: 'use',
  description: 'Choose the profile to use by default',
  build: (command) => command.argument('<profile>', 'the profile'),
  example: 'config use shop',
  asksService: false,
  async run(context, _options, name) {
    const path = configPath(context.io);
    await changeConfig(path, (config) => {
      if (!findProfile(config, name)) throw missingProfile({ name, path });
      return { ...config, profile: name };
    });
    await context.print({
      document: { profile: name },
      screen: () => `Profile ${name} is now in use.\n`,
    });
    if (setting(context.io, 'TOPUP_PROFILE') !== undefined)
      context.remark('TOPUP_PROFILE is set and takes precedence.');
  },
});

function without({ profile, profiles }: Config, name: string): Config {
  const { [name]: _removed, ...others } = profiles;
  return { ...(profile !== undefined && profile !== name && { profile }), profiles: others };
}

export const removeProfile = defineCommand({
  name: 'remove',
  description: 'Remove a profile and its settings',
  build: (command) => command.argument('<profile>', 'the profile').option(...yesOption),
  example: 'config remove shop',
  asksService: false,
  async run(context, { yes }, name) {
    const path = configPath(context.io);
    const profile = findProfile(readConfigFile(path), name);
    if (!profile) throw missingProfile({ name, path });
    const lost = profile.api_key === undefined ? 'its settings' : 'its settings and its key';
    await confirm(context, { yes, consequence: `Profile ${name} will be deleted, with ${lost}.` });
    await changeConfig(path, (now) => without(now, name));
    await context.print({
      document: { removed: name },
      screen: () => `Profile ${name} is removed.\n`,
    });
  },
});
