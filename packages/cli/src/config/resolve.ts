import type { CommandContext } from '../context.ts';
import { type CliError, usageError } from '../errors/cli-error.ts';
import { type Io, setting } from '../io.ts';
import { type CliProfile, configPath, findProfile, type ProfileSetting, readConfigFile } from './file.ts';

export interface ChosenProfile {
  name: string;
  from: '--profile' | 'TOPUP_PROFILE' | 'config' | 'default';
  /** Settings of the profile; empty if it doesn't exist, as before the first `topup login`. */
  settings: CliProfile;
  path: string;
}

function nameOf(
  context: CommandContext,
  configured: string | undefined,
): Pick<ChosenProfile, 'name' | 'from'> {
  const { profile } = context.globals;
  if (profile !== undefined) return { name: profile, from: '--profile' };
  const named = setting(context.io, 'TOPUP_PROFILE');
  if (named !== undefined) return { name: named, from: 'TOPUP_PROFILE' };
  if (configured !== undefined) return { name: configured, from: 'config' };
  return { name: 'default', from: 'default' };
}

/** Returns the profile in use, and whether it exists. */
export function namedProfile(context: CommandContext): ChosenProfile & { isThere: boolean } {
  const path = configPath(context.io);
  const config = readConfigFile(path);
  const { name, from } = nameOf(context, config.profile);
  const settings = findProfile(config, name);
  return { name, from, path, settings: settings ?? {}, isThere: settings !== undefined };
}

const sources: Record<ChosenProfile['from'], string> = {
  '--profile': ' (--profile)',
  TOPUP_PROFILE: ' (TOPUP_PROFILE)',
  config: ' (the one in use)',
  default: '',
};

/** Returns the error for a missing profile; `from` is the source of its name, unless the name is the command's own argument. */
export function missingProfile({
  name,
  path,
  from = 'default',
}: Pick<ChosenProfile, 'name' | 'path'> & Partial<ChosenProfile>): CliError {
  const names = Object.keys(readConfigFile(path).profiles);
  const existing = names.length === 0 ? 'has no profile yet' : `has ${names.join(', ')}`;
  return usageError(
    `Unknown profile "${maskKeys(name)}"${sources[from]}.`,
    `${path} ${existing}. To make one: \`topup login --profile <name>\`.`,
  );
}

/** Returns the profile that a command uses; throws if a named profile doesn't exist. */
export function chooseProfile(context: CommandContext): ChosenProfile {
  const profile = namedProfile(context);
  // The default profile may be used before it exists.
  if (!profile.isThere && profile.from !== 'default') throw missingProfile(profile);
  return profile;
}

interface Places {
  flag: { name: string; value: string | undefined };
  profile: ChosenProfile;
  defaultValue: string;
}

/** Returns the first value, in the order flag, environment, profile, default. */
export function chooseSetting(
  io: Io,
  name: ProfileSetting,
  { flag, profile, defaultValue }: Places,
): ResolvedSetting {
  if (flag.value !== undefined) return { value: flag.value, origin: 'flag', source: flag.name };
  const variable = variableOf[name];
  const fromEnvironment = setting(io, variable);
  if (fromEnvironment !== undefined)
    return { value: fromEnvironment, origin: 'environment', source: variable };
  const fromProfile = profile.settings[name];
  if (fromProfile !== undefined)
    return { value: fromProfile, origin: 'profile', source: `profile ${profile.name}` };
  return { value: defaultValue, origin: 'default', source: 'default' };
}

/** Source of a setting, the highest precedence first. */
export type Origin = 'flag' | 'environment' | 'profile' | 'default';

export interface ResolvedSetting {
  value: string;
  origin: Origin;
  /** Source for people: `--base-url`, `TOPUP_BASE_URL`, `profile shop`, `default`. */
  source: string;
}

/** Tells whether two URLs have the same origin. A key is sent only to its own origin. */
export const isSameOrigin = (a: string, b: string): boolean => {
  const origin = URL.parse(a)?.origin;
  return origin !== undefined && origin === URL.parse(b)?.origin;
};

const variableOf = {
  base_url: 'TOPUP_BASE_URL',
  api_key: 'TOPUP_API_KEY',
  store: 'TOPUP_STORE',
} as const satisfies Record<ProfileSetting, string>;

/** Returns a note that a variable takes precedence over the profile; undefined if none does. */
export function overruled(io: Io, ...names: ProfileSetting[]): string | undefined {
  const set = names.map((name) => variableOf[name]).filter((variable) => setting(io, variable) !== undefined);
  if (set.length === 0) return undefined;
  const verb = set.length === 1 ? 'is set and takes' : 'are set and take';
  return `${set.join(' and ')} ${verb} precedence over the profile.`;
}

/** Masks a key. Shows the last letters of a long key, so that its owner recognises it, and nothing of a short key. */
export const maskKey = (key: string): string => `****${key.length < 20 ? '' : key.slice(-4)}`;

/** Masks everything that looks like a key in typed text. */
export const maskKeys = (text: string): string =>
  text.replace(/\btk_\w+|\b(?=[A-Za-z]*\d)[A-Za-z\d]{24,}\b/g, maskKey);
