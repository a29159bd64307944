import { usageProblem } from '../errors/problem.ts';
import { changeConfig } from './change-config.ts';
import { type Config, findProfile, isProfileName, type Profile } from './config.ts';

interface Change {
  /** The config file. */
  path: string;
  /** The profile; one that isn't there is made. */
  name: string;
  change(profile: Profile): Profile;
  /** Whether it is the one in use from now on. */
  use?: boolean;
}

/** Changes one profile of the config file. */
export async function changeProfile({ path, name, change, use = false }: Change): Promise<void> {
  if (!isProfileName(name))
    throw usageProblem("A profile's name takes up to 64 letters, digits, dots, hyphens and underscores.");
  await changeConfig(path, (config: Config) => ({
    ...config,
    ...(use && { profile: name }),
    profiles: { ...config.profiles, [name]: change(findProfile(config, name) ?? {}) },
  }));
}
