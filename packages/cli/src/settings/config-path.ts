import { userInfo } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { type Io, setting } from '../io.ts';
import { configProblem } from './config-problem.ts';

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
    throw configProblem('Nothing says where your home folder is.', 'Set HOME to its absolute path.', error);
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
