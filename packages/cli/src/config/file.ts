import { readFileSync, type Stats, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { CliError, exitCodes, reasonOf } from '../errors/cli-error.ts';
import { type Io, setting } from '../io.ts';
import { isObject } from '../json.ts';
import { shellWord } from '../output/text.ts';

export interface CliProfile {
  base_url?: string;
  /** Key, which is sent only to the origin of `base_url`. */
  api_key?: string;
  /** Store as `file:PATH` with an absolute path. */
  store?: string;
}

export interface Config {
  /** Profile that is used if none is named. */
  profile?: string;
  profiles: Record<string, CliProfile>;
}

export const profileSettings = ['base_url', 'api_key', 'store'] as const satisfies (keyof CliProfile)[];
export type ProfileSetting = (typeof profileSettings)[number];

export const isProfileName = (name: string): boolean => /^[\w.-]{1,64}$/.test(name) && name !== '__proto__';

export const findProfile = ({ profiles }: Config, name: string): CliProfile | undefined =>
  Object.hasOwn(profiles, name) ? profiles[name] : undefined;

type HasEnvironment = Pick<Io, 'environment'>;

/** Reads an absolute path. A relative path is ignored: it would depend on the current folder, which others may be able to write to. */
function absolute(io: HasEnvironment, variable: string): string | undefined {
  const path = setting(io, variable);
  return path !== undefined && isAbsolute(path) ? path : undefined;
}

/** Returns the home folder; the system may know none for this user. */
function systemHome(): string {
  try {
    return userInfo().homedir;
  } catch (error) {
    throw configError('The home folder is unknown.', 'Set HOME to its absolute path.', error);
  }
}

const homeOf = (io: HasEnvironment): string =>
  absolute(io, 'HOME') ?? absolute(io, 'USERPROFILE') ?? systemHome();

/** Finds a folder by the XDG base directory specification, on every system. */
const folder = (io: HasEnvironment, variable: string, ...fallback: string[]): string =>
  join(absolute(io, variable) ?? join(homeOf(io), ...fallback), 'topup');

/** Returns the path of the config file: TOPUP_CONFIG, or `topup/config.json` in the folder for configuration. */
export function configPath(io: HasEnvironment): string {
  const chosen = setting(io, 'TOPUP_CONFIG');
  if (/^~([\\/]|$)/.test(chosen ?? ''))
    throw configError(
      `TOPUP_CONFIG is ${chosen}, but ~ is not expanded in it.`,
      'Write the full path, or $HOME instead of ~.',
    );
  return chosen === undefined
    ? join(folder(io, 'XDG_CONFIG_HOME', '.config'), 'config.json')
    : resolve(chosen);
}

/** Returns the source of the path: a variable, or `default`. */
export function configSource(io: HasEnvironment): string {
  if (setting(io, 'TOPUP_CONFIG') !== undefined) return 'TOPUP_CONFIG';
  return absolute(io, 'XDG_CONFIG_HOME') === undefined ? 'default' : 'XDG_CONFIG_HOME';
}

/** Returns the folder for data that must be kept, such as pending orders. */
export const stateFolder = (io: HasEnvironment): string => folder(io, 'XDG_STATE_HOME', '.local', 'state');

/** Returns the folder for data that may be deleted at any time. */
export const cacheFolder = (io: HasEnvironment): string => folder(io, 'XDG_CACHE_HOME', '.cache');

export const configError = (message: string, hint: string, cause?: unknown): CliError =>
  new CliError(message, { code: 'CONFIG_FILE', exitCode: exitCodes.failure, hint, cause });

/** Rejects a file that other users can read. This is an error and not a warning, because such a key must be considered known. */
function checkPermissions(path: string, { mode }: Stats): void {
  // Windows has no such permission bits, and the folder belongs to the user.
  if (process.platform === 'win32' || (mode & 0o077) === 0) return;
  throw configError(
    `${path} can be read or changed by other users of this machine, so its keys are not used.`,
    `Restrict its permissions, and consider replacing the keys:\n  chmod 600 ${shellWord(path)}`,
  );
}

function readText(path: string): string | undefined {
  try {
    const there = statSync(path, { throwIfNoEntry: false });
    if (there === undefined) return undefined;
    // Devices such as /dev/null can't hold keys.
    if (there.isFile()) checkPermissions(path, there);
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof CliError) throw error;
    throw configError(
      `${path} can't be read: ${reasonOf(error)}.`,
      'Fix that, or use another file with TOPUP_CONFIG.',
      error,
    );
  }
}

/** Reads the config file. A missing or empty file is an empty configuration. */
export function readConfigFile(path: string): Config {
  const text = readText(path)?.trim();
  if (!text) return { profiles: {} };
  const hint = 'Fix it by hand, or move it away and start again with `topup login`.';
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The parser's message may quote the text around the error, which may contain a key.
    throw configError(`${path} is not JSON.`, hint);
  }
  return parseConfig(value, (where, rule) => configError(`${path}: ${where} ${rule}.`, hint));
}

/** Creates an error from the position and the broken rule. */
type Wrong = (where: string, rule: string) => CliError;

/** Shortens the name of a profile, which may be a key that was entered by mistake. */
const shortened = (name: string): string => (name.length <= 24 ? name : `${name.slice(0, 8)}…`);

function parseProfile(value: unknown, where: string, wrong: Wrong): CliProfile {
  if (!isObject(value)) throw wrong(where, 'must be an object');
  for (const [setting, text] of Object.entries(value)) {
    if (!profileSettings.some((known) => known === setting))
      throw wrong(
        `${where}.${shortened(setting)}`,
        `is an unknown setting; known: ${profileSettings.join(', ')}`,
      );
    if (typeof text !== 'string' || text === '') throw wrong(`${where}.${setting}`, 'takes a text');
  }
  return value;
}

/** Parses the configuration, and throws at the first problem. */
function parseConfig(value: unknown, wrong: Wrong): Config {
  if (!isObject(value)) throw wrong('it', 'must be an object');
  const { profile, profiles = {}, ...others } = value;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw wrong(shortened(unknown), 'is an unknown setting');
  if (profile !== undefined && typeof profile !== 'string')
    throw wrong('profile', 'must be the name of a profile');
  if (!isObject(profiles)) throw wrong('profiles', 'must be an object');
  const read = Object.entries(profiles).map(([name, profile]): [string, CliProfile] => {
    const where = `profiles.${shortened(name)}`;
    if (!isProfileName(name)) throw wrong(where, 'is not a valid name of a profile');
    return [name, parseProfile(profile, where, wrong)];
  });
  return { ...(profile !== undefined && { profile }), profiles: Object.fromEntries(read) };
}
