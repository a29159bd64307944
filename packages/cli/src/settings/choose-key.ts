import type { CommandContext } from '../context.ts';
import { exitCodes } from '../errors/exit-codes.ts';
import { Problem } from '../errors/problem.ts';
import { isKeyText, readSecret } from '../input/read-secret.ts';
import { setting } from '../io.ts';
import type { ChosenProfile } from './choose-profile.ts';
import { isSameOrigin } from './same-origin.ts';
import type { Sourced } from './sourced.ts';

/** A profile's key belongs to the profile's service, and goes nowhere else whatever `--base-url` says. */
const isFor = ({ settings: { base_url } }: ChosenProfile, baseUrl: string): boolean =>
  base_url !== undefined && isSameOrigin(base_url, baseUrl);

/** Refuses what can't be a key before anything is sent. */
function checked(key: Sourced): Sourced {
  if (isKeyText(key.value)) return key;
  throw new Problem(`The key of ${key.source} can't be one.`, {
    code: 'INVALID_API_KEY',
    exitCode: exitCodes.usage,
    hint: 'A key is visible ASCII characters without spaces or line breaks. Copy it again, whole.',
  });
}

/** The key to ask a service with; undefined where there is none for it. */
export async function chooseKey(
  context: CommandContext,
  { profile, baseUrl }: { profile: ChosenProfile; baseUrl: string },
): Promise<Sourced | undefined> {
  const { keyFile } = context.globals;
  if (keyFile !== undefined)
    return {
      value: await readSecret(context.io, keyFile, '--key-file'),
      origin: 'flag',
      source: '--key-file',
    };
  const fromEnvironment = setting(context.io, 'TOPUP_API_KEY');
  if (fromEnvironment !== undefined)
    return checked({ value: fromEnvironment, origin: 'environment', source: 'TOPUP_API_KEY' });
  const { api_key } = profile.settings;
  if (api_key !== undefined && isFor(profile, baseUrl))
    return checked({ value: api_key, origin: 'profile', source: `profile ${profile.name}` });
  return undefined;
}
