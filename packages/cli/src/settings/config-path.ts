import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { type Io, setting } from '../io.ts';

type Environment = Pick<Io, 'environment'>;

const homeOf = (io: Environment): string => setting(io, 'HOME') ?? setting(io, 'USERPROFILE') ?? homedir();

/** Folders by the XDG base directory specification, which people of every system can set. */
const folder = (io: Environment, variable: string, ...otherwise: string[]): string =>
  join(setting(io, variable) ?? join(homeOf(io), ...otherwise), 'topup');

/** Where the profiles are: TOPUP_CONFIG, else `topup/config.json` in the folder for configuration. */
export function configPath(io: Environment): string {
  const chosen = setting(io, 'TOPUP_CONFIG');
  return chosen === undefined
    ? join(folder(io, 'XDG_CONFIG_HOME', '.config'), 'config.json')
    : resolve(chosen);
}

/** Where the command notes what it must know the next time, such as orders it was placing. */
export const stateFolder = (io: Environment): string => folder(io, 'XDG_STATE_HOME', '.local', 'state');

/** Where the command keeps what it can do without, to be faster the next time. */
export const cacheFolder = (io: Environment): string => folder(io, 'XDG_CACHE_HOME', '.cache');
