/** What a profile may set; each is left out where the profile doesn't. */
export interface Profile {
  base_url?: string;
  /** Goes to the origin of `base_url` alone. */
  api_key?: string;
  /** `file:PATH`, absolute. */
  store?: string;
}

/** The content of the config file. */
export interface Config {
  /** The profile in use when none is named. */
  profile?: string;
  profiles: Record<string, Profile>;
}

export const profileSettings = ['base_url', 'api_key', 'store'] as const satisfies (keyof Profile)[];
export type ProfileSetting = (typeof profileSettings)[number];

export const defaultProfile = 'default';

export const isProfileSetting = (name: string): name is ProfileSetting =>
  profileSettings.some((known) => known === name);

export const isProfileName = (name: string): boolean => /^[\w.-]{1,64}$/.test(name) && name !== '__proto__';

/** A profile by its name; undefined where there is none. */
export const findProfile = ({ profiles }: Config, name: string): Profile | undefined =>
  Object.hasOwn(profiles, name) ? profiles[name] : undefined;
