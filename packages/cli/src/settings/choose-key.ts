import type { Command } from 'commander';
import { globalOptions } from '../global-options.ts';
import { readSecret } from '../input/read-secret.ts';
import { type Io, setting } from '../io.ts';
import type { ChosenProfile } from './choose-profile.ts';
import { isSameOrigin } from './same-origin.ts';
import type { Sourced } from './sourced.ts';

/** A profile's key belongs to the profile's service, and goes nowhere else whatever `--base-url` says. */
const isFor = ({ settings: { base_url } }: ChosenProfile, baseUrl: string): boolean =>
  base_url !== undefined && isSameOrigin(base_url, baseUrl);

/** The key to ask a service with; undefined where there is none for it. */
export async function chooseKey(
  io: Io,
  command: Command,
  { profile, baseUrl }: { profile: ChosenProfile; baseUrl: string },
): Promise<Sourced | undefined> {
  const { keyFile } = globalOptions(command);
  if (keyFile !== undefined)
    return { value: await readSecret(io, keyFile, '--key-file'), origin: 'flag', source: '--key-file' };
  const fromEnvironment = setting(io, 'TOPUP_API_KEY');
  if (fromEnvironment !== undefined)
    return { value: fromEnvironment, origin: 'environment', source: 'TOPUP_API_KEY' };
  const { api_key } = profile.settings;
  if (api_key !== undefined && isFor(profile, baseUrl))
    return { value: api_key, origin: 'profile', source: `profile ${profile.name}` };
  return undefined;
}
