import { type Io, setting } from '../io.ts';
import type { ChosenProfile } from './choose-profile.ts';
import type { ProfileSetting } from './config.ts';
import type { Sourced } from './sourced.ts';

interface Places {
  flag: { name: string; value: string | undefined };
  variable: string;
  inProfile: ProfileSetting;
  profile: ChosenProfile;
  /** The value when nobody says one. */
  otherwise: string;
}

/** A setting by the order in which its places win: flag, environment, profile, default. */
export function chooseSetting(io: Io, { flag, variable, inProfile, profile, otherwise }: Places): Sourced {
  if (flag.value !== undefined) return { value: flag.value, origin: 'flag', source: flag.name };
  const fromEnvironment = setting(io, variable);
  if (fromEnvironment !== undefined)
    return { value: fromEnvironment, origin: 'environment', source: variable };
  const fromProfile = profile.settings[inProfile];
  if (fromProfile !== undefined)
    return { value: fromProfile, origin: 'profile', source: `profile ${profile.name}` };
  return { value: otherwise, origin: 'default', source: 'default' };
}
