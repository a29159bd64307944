import type { CommandContext } from '../context.ts';
import { type Problem, usageProblem } from '../errors/problem.ts';
import { setting } from '../io.ts';
import { refuseNoFile } from './change-config.ts';
import { type Config, defaultProfile, findProfile, type Profile } from './config.ts';
import { configPath } from './config-path.ts';
import { withoutKeys } from './masked-key.ts';
import { readConfigFile } from './read-config.ts';

/** The profile in use. */
export interface ChosenProfile {
  name: string;
  /** What named it: a flag, a variable, the config file, or nothing. */
  from: '--profile' | 'TOPUP_PROFILE' | 'config' | 'default';
  /** Its settings; empty where there is no such profile, as before a first `topup login`. */
  settings: Profile;
  /** The config file. */
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
  return { name: defaultProfile, from: 'default' };
}

function readNamed(context: CommandContext) {
  const path = configPath(context.io);
  const config = readConfigFile(path);
  const { name, from } = nameOf(context, config.profile);
  return { config, name, from, path, settings: findProfile(config, name) };
}

/** Reads the profile that is named, and whether it is there at all. */
export function namedProfile(context: CommandContext): ChosenProfile & { isThere: boolean } {
  const { config: _config, settings, ...profile } = readNamed(context);
  return { ...profile, settings: settings ?? {}, isThere: settings !== undefined };
}

/** Reads the profile that a command is to change, which need not be there yet. */
export function profileToChange(context: CommandContext): ChosenProfile {
  refuseNoFile(configPath(context.io));
  const { isThere: _isThere, ...profile } = namedProfile(context);
  return profile;
}

const sources: Record<ChosenProfile['from'], string> = {
  '--profile': ', which --profile names',
  TOPUP_PROFILE: ', which TOPUP_PROFILE names',
  config: ', which that file names as the one in use',
  default: '',
};

/** What to say of a profile that isn't there; `from` is what named it, where that is not the command's own argument. */
export function missingProfile(
  { profiles }: Config,
  { name, path, from = 'default' }: Pick<ChosenProfile, 'name' | 'path'> & Partial<ChosenProfile>,
): Problem {
  const names = Object.keys(profiles);
  const there = names.length === 0 ? 'There is none yet' : `There are ${names.join(', ')}`;
  return usageProblem(
    `There is no profile ${withoutKeys(name)} in ${path}${sources[from]}.`,
    `${there}. To make one: \`topup login --profile <name>\`.`,
  );
}

/** Reads the profile that a command works with; one that was named must be there. */
export function chooseProfile(context: CommandContext): ChosenProfile {
  const { config, settings, ...profile } = readNamed(context);
  // The default one is as good as there before anybody made it.
  if (settings === undefined && profile.from !== 'default') throw missingProfile(config, profile);
  return { ...profile, settings: settings ?? {} };
}
