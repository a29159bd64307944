import type { Problem } from '../errors/problem.ts';
import { type Config, isProfileName, isProfileSetting, type Profile, profileSettings } from './config.ts';

/** Makes a problem of the place of what is wrong and the rule that it breaks. */
type Wrong = (where: string, rule: string) => Problem;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A key that somebody put where a name belongs must not be shown. */
const shortened = (name: string): string => (name.length <= 24 ? name : `${name.slice(0, 8)}…`);

function parseProfile(value: unknown, where: string, wrong: Wrong): Profile {
  if (!isObject(value)) throw wrong(where, 'takes an object');
  for (const [setting, text] of Object.entries(value)) {
    if (!isProfileSetting(setting))
      throw wrong(`${where}.${shortened(setting)}`, `is none of ${profileSettings.join(', ')}`);
    if (typeof text !== 'string' || text === '') throw wrong(`${where}.${setting}`, 'takes a text');
  }
  return value;
}

/** Checks what a config file holds, up to the first thing that is wrong. */
export function parseConfig(value: unknown, wrong: Wrong): Config {
  if (!isObject(value)) throw wrong('it', 'takes an object');
  const { profile, profiles = {}, ...others } = value;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw wrong(shortened(unknown), 'is nothing that it takes');
  if (profile !== undefined && typeof profile !== 'string')
    throw wrong('profile', 'takes the name of a profile');
  if (!isObject(profiles)) throw wrong('profiles', 'takes an object');
  const read = Object.entries(profiles).map(([name, one]): [string, Profile] => {
    const where = `profiles.${shortened(name)}`;
    if (!isProfileName(name)) throw wrong(where, 'has a name that none can have');
    return [name, parseProfile(one, where, wrong)];
  });
  return { ...(profile !== undefined && { profile }), profiles: Object.fromEntries(read) };
}
