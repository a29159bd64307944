import type { Command } from 'commander';
import type { Io } from '../io.ts';
import { configPath } from '../settings/config-path.ts';
import { readConfigFile } from '../settings/read-config.ts';
import type { Suggestion } from './suggestion.ts';

/** The profiles of the config file. */
export async function profiles(_command: Command, io: Io): Promise<Suggestion[]> {
  const { profiles } = readConfigFile(configPath(io));
  return Object.entries(profiles).map(([value, { base_url }]) => ({ value, about: base_url }));
}
