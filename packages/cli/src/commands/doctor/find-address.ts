import { type ChosenProfile, chooseKey, chooseProfile, type Sourced } from '../../config/resolve.ts';
import type { CommandContext } from '../../context.ts';
import { Problem } from '../../errors/cli-error.ts';
import { chooseBaseUrl, invalidBaseUrl, isLoopback, parseBaseUrl } from '../../service/connection.ts';

/** What the commands that ask a service would ask, as far as it is known. */
export interface Address {
  url: URL;
  baseUrl: Sourced;
  /** Undefined where there is none for this service. */
  key: Sourced | undefined;
  /** What is wrong with the key that would be used, where it can't be one. */
  keyProblem?: Problem;
}

/** The key, as far as it can be one: without it there is still something to say. */
async function findKey(context: CommandContext, profile: ChosenProfile, baseUrl: string) {
  try {
    return { key: await chooseKey(context, { profile, baseUrl }) };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { key: undefined, keyProblem: error };
  }
}

/** Finds what would be asked; unlike a command it goes on without a key, to see what else there is to say. */
export async function findAddress(context: CommandContext): Promise<Address> {
  const profile = chooseProfile(context);
  const baseUrl = chooseBaseUrl(context, profile);
  const url = parseBaseUrl(baseUrl.value);
  if (!url) throw invalidBaseUrl({ urlSource: baseUrl.source });
  const found = await findKey(context, profile, baseUrl.value);
  if (found.key || found.keyProblem || !isLoopback(url)) return { url, baseUrl, ...found };
  const { sandboxKey } = await import('@topup-kit/core/engine');
  return { url, baseUrl, key: { value: sandboxKey, origin: 'default', source: 'default' } };
}
