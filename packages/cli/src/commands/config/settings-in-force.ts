import type { Command } from 'commander';
import { chooseBaseUrl, isLoopback, parseBaseUrl } from '../../connection.ts';
import { type Io, setting } from '../../io.ts';
import { chooseKey } from '../../settings/choose-key.ts';
import { type ChosenProfile, chooseProfile } from '../../settings/choose-profile.ts';
import { maskedKey } from '../../settings/masked-key.ts';
import { chooseStore } from '../../store.ts';

/** A setting as it holds now; a key is masked. */
export interface InForce {
  setting: string;
  /** Null where nothing sets it. */
  value: string | null;
  /** Null where nothing sets it; else `TOPUP_BASE_URL`, `profile shop`, `default`. */
  from: string | null;
}

async function keyInForce(io: Io, command: Command, profile: ChosenProfile, baseUrl: string) {
  const key = await chooseKey(io, command, { profile, baseUrl });
  if (key) return { value: maskedKey(key.value), from: key.source };
  const url = parseBaseUrl(baseUrl);
  if (!url || !isLoopback(url)) return { value: null, from: null };
  const { sandboxKey } = await import('@topup-kit/core/engine');
  return { value: maskedKey(sandboxKey), from: 'default' };
}

/** All settings as a command would find them now, and where each comes from. */
export async function settingsInForce(io: Io, command: Command): Promise<InForce[]> {
  const profile = chooseProfile(io, command);
  const baseUrl = chooseBaseUrl(io, command, profile);
  const store = chooseStore(io, command, undefined);
  const configFrom = ['TOPUP_CONFIG', 'XDG_CONFIG_HOME'].find((name) => setting(io, name) !== undefined);
  return [
    { setting: 'config_file', value: profile.path, from: configFrom ?? 'default' },
    {
      setting: 'profile',
      value: profile.name,
      from: profile.from === 'config' ? 'config file' : profile.from,
    },
    { setting: 'base_url', value: baseUrl.value, from: baseUrl.source },
    { setting: 'api_key', ...(await keyInForce(io, command, profile, baseUrl.value)) },
    { setting: 'store', value: store.value, from: store.source },
  ];
}
