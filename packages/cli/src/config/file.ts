import { readFileSync, type Stats, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { CliError, exitCodes, reasonOf } from '../errors/cli-error.ts';
import { type Io, setting } from '../io.ts';
import { shellWord } from '../output/text.ts';

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

const isProfileSetting = (name: string): name is ProfileSetting =>
  profileSettings.some((known) => known === name);

export const isProfileName = (name: string): boolean => /^[\w.-]{1,64}$/.test(name) && name !== '__proto__';

/** A profile by its name; undefined where there is none. */
export const findProfile = ({ profiles }: Config, name: string): Profile | undefined =>
  Object.hasOwn(profiles, name) ? profiles[name] : undefined;

type Environment = Pick<Io, 'environment'>;

/** A folder that a variable names; one by a relative name would be another in every folder, and may be anyone's. */
function absolute(io: Environment, variable: string): string | undefined {
  const path = setting(io, variable);
  return path !== undefined && isAbsolute(path) ? path : undefined;
}

/** What the system says, which knows no home of a user that it doesn't know. */
function systemHome(): string {
  try {
    return userInfo().homedir;
  } catch (error) {
    throw configError('The home folder is unknown.', 'Set HOME to its absolute path.', error);
  }
}

const homeOf = (io: Environment): string =>
  absolute(io, 'HOME') ?? absolute(io, 'USERPROFILE') ?? systemHome();

/** Folders by the XDG base directory specification, which people of every system can set. */
const folder = (io: Environment, variable: string, ...otherwise: string[]): string =>
  join(absolute(io, variable) ?? join(homeOf(io), ...otherwise), 'topup');

/** Where the profiles are: TOPUP_CONFIG, else `topup/config.json` in the folder for configuration. */
export function configPath(io: Environment): string {
  const chosen = setting(io, 'TOPUP_CONFIG');
  return chosen === undefined
    ? join(folder(io, 'XDG_CONFIG_HOME', '.config'), 'config.json')
    : resolve(chosen);
}

/** What says where the profiles are: a variable, or `default`. */
export function configSource(io: Environment): string {
  if (setting(io, 'TOPUP_CONFIG') !== undefined) return 'TOPUP_CONFIG';
  return absolute(io, 'XDG_CONFIG_HOME') === undefined ? 'default' : 'XDG_CONFIG_HOME';
}

/** Where the command notes what it must know the next time, such as orders it was placing. */
export const stateFolder = (io: Environment): string => folder(io, 'XDG_STATE_HOME', '.local', 'state');

/** Where the command keeps what it can do without, to be faster the next time. */
export const cacheFolder = (io: Environment): string => folder(io, 'XDG_CACHE_HOME', '.cache');

/** Something wrong with the config file. */
export const configError = (message: string, hint: string, cause?: unknown): CliError =>
  new CliError(message, { code: 'CONFIG_FILE', exitCode: exitCodes.failure, hint, cause });

/** Refused rather than warned of: a key that others could read has to be thought of as known to them. */
function refuseOthers(path: string, { mode }: Stats): void {
  // Windows keeps no such bits; a profile's folder is its user's own there.
  if (process.platform === 'win32' || (mode & 0o077) === 0) return;
  throw configError(
    `${path} can be read or changed by other users of this machine, so the keys in it are not used.`,
    `Restrict its permissions, and consider replacing the keys:\n  chmod 600 ${shellWord(path)}`,
  );
}

function readText(path: string): string | undefined {
  try {
    const there = statSync(path, { throwIfNoEntry: false });
    if (there === undefined) return undefined;
    // What is no file keeps no keys: /dev/null stands for no configuration at all.
    if (there.isFile()) refuseOthers(path, there);
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof CliError) throw error;
    throw configError(
      `${path} can't be read: ${reasonOf(error)}.`,
      'Fix that, or name another file with TOPUP_CONFIG.',
      error,
    );
  }
}

/** Reads the config file; a missing or an empty one says nothing. */
export function readConfigFile(path: string): Config {
  const text = readText(path)?.trim();
  if (!text) return { profiles: {} };
  const hint = 'Fix it by hand, or move it away and start again with `topup login`.';
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // What the parser says may quote the text around the fault, and so a key.
    throw configError(`${path} is not JSON.`, hint);
  }
  return parseConfig(value, (where, rule) => configError(`${path}: ${where} ${rule}.`, hint));
}

/** Makes a problem of the place of what is wrong and the rule that it breaks. */
type Wrong = (where: string, rule: string) => CliError;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A key that somebody put where a name belongs must not be shown. */
const shortened = (name: string): string => (name.length <= 24 ? name : `${name.slice(0, 8)}…`);

function parseProfile(value: unknown, where: string, wrong: Wrong): Profile {
  if (!isObject(value)) throw wrong(where, 'must be an object');
  for (const [setting, text] of Object.entries(value)) {
    if (!isProfileSetting(setting))
      throw wrong(
        `${where}.${shortened(setting)}`,
        `is an unknown setting; known: ${profileSettings.join(', ')}`,
      );
    if (typeof text !== 'string' || text === '') throw wrong(`${where}.${setting}`, 'takes a text');
  }
  return value;
}

/** Checks what a config file holds, up to the first thing that is wrong. */
function parseConfig(value: unknown, wrong: Wrong): Config {
  if (!isObject(value)) throw wrong('it', 'must be an object');
  const { profile, profiles = {}, ...others } = value;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw wrong(shortened(unknown), 'is an unknown setting');
  if (profile !== undefined && typeof profile !== 'string')
    throw wrong('profile', 'must be the name of a profile');
  if (!isObject(profiles)) throw wrong('profiles', 'must be an object');
  const read = Object.entries(profiles).map(([name, one]): [string, Profile] => {
    const where = `profiles.${shortened(name)}`;
    if (!isProfileName(name)) throw wrong(where, 'is not a valid name of a profile');
    return [name, parseProfile(one, where, wrong)];
  });
  return { ...(profile !== undefined && { profile }), profiles: Object.fromEntries(read) };
}
