import type { Command } from 'commander';
import { chooseBaseUrl, invalidBaseUrl, isLoopback, parseBaseUrl } from '../../connection.ts';
import type { Io } from '../../io.ts';
import { chooseKey } from '../../settings/choose-key.ts';
import { chooseProfile } from '../../settings/choose-profile.ts';
import type { Sourced } from '../../settings/sourced.ts';

/** What the commands that ask a service would ask, as far as it is known. */
export interface Address {
  url: URL;
  baseUrl: Sourced;
  /** Undefined where there is none for this service. */
  key: Sourced | undefined;
}

/** Finds what would be asked; unlike a command it goes on without a key, to see what else there is to say. */
export async function findAddress(io: Io, command: Command): Promise<Address> {
  const profile = chooseProfile(io, command);
  const baseUrl = chooseBaseUrl(io, command, profile);
  const url = parseBaseUrl(baseUrl.value);
  if (!url) throw invalidBaseUrl({ urlSource: baseUrl.source });
  const key = await chooseKey(io, command, { profile, baseUrl: baseUrl.value });
  if (key || !isLoopback(url)) return { url, baseUrl, key };
  const { sandboxKey } = await import('@topup-kit/core/engine');
  return { url, baseUrl, key: { value: sandboxKey, origin: 'default', source: 'default' } };
}
