import type { Command } from 'commander';
import { type Problem, usageProblem } from '../errors/problem.ts';
import { globalOptions } from '../global-options.ts';
import { type Io, setting } from '../io.ts';
import { type Config, defaultProfile, findProfile, type Profile } from './config.ts';
import { configPath } from './config-path.ts';
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
  io: Io,
  command: Command,
  configured: string | undefined,
): Pick<ChosenProfile, 'name' | 'from'> {
  const { profile } = globalOptions(command);
  if (profile !== undefined) return { name: profile, from: '--profile' };
  const named = setting(io, 'TOPUP_PROFILE');
  if (named !== undefined) return { name: named, from: 'TOPUP_PROFILE' };
  if (configured !== undefined) return { name: configured, from: 'config' };
  return { name: defaultProfile, from: 'default' };
}

function readNamed(io: Io, command: Command) {
  const path = configPath(io);
  const config = readConfigFile(path);
  const { name, from } = nameOf(io, command, config.profile);
  return { config, name, from, path, settings: findProfile(config, name) };
}

/** Reads the profile that a command is to change, which need not be there yet. */
export function profileToChange(io: Io, command: Command): ChosenProfile {
  const { config: _config, settings = {}, ...profile } = readNamed(io, command);
  return { ...profile, settings };
}

/** What to say of a profile that isn't there. */
export function missingProfile({ profiles }: Config, name: string, path: string): Problem {
  const names = Object.keys(profiles);
  const there = names.length === 0 ? 'There is none yet' : `There are ${names.join(', ')}`;
  return usageProblem(
    `There is no profile ${name} in ${path}.`,
    `${there}. To make one: \`topup login --profile <name>\`.`,
  );
}

/** Reads the profile that a command works with; one that was named must be there. */
export function chooseProfile(io: Io, command: Command): ChosenProfile {
  const { config, settings, ...profile } = readNamed(io, command);
  // The default one is as good as there before anybody made it.
  if (settings === undefined && profile.from !== 'default')
    throw missingProfile(config, profile.name, profile.path);
  return { ...profile, settings: settings ?? {} };
}
