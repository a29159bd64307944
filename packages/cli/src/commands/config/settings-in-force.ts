import { configSource } from '../../config/file.ts';
import {
  type ChosenProfile,
  chooseKey,
  maskedKey,
  namedProfile,
  withoutCredentials,
} from '../../config/resolve.ts';
import type { CommandContext } from '../../context.ts';
import { chooseBaseUrl, isLoopback, parseBaseUrl } from '../../service/connection.ts';
import { chooseStoreOf } from '../../store/open.ts';

/** A setting as it holds now; a key is masked. */
export interface InForce {
  setting: string;
  /** Null where nothing sets it. */
  value: string | null;
  /** Null where nothing sets it; else `TOPUP_BASE_URL`, `profile shop`, `default`. */
  from: string | null;
}

async function keyInForce(context: CommandContext, profile: ChosenProfile, baseUrl: string) {
  const key = await chooseKey(context, { profile, baseUrl });
  if (key) return { value: maskedKey(key.value), from: key.source };
  const url = parseBaseUrl(baseUrl);
  if (!url || !isLoopback(url)) return { value: null, from: null };
  const { sandboxKey } = await import('@topup-kit/core/engine');
  return { value: maskedKey(sandboxKey), from: 'default' };
}

function profileSource({ from, isThere }: ReturnType<typeof namedProfile>): string {
  const source = from === 'config' ? 'config file' : from;
  return isThere || from === 'default' ? source : `${source}, but there is none`;
}

/** All settings as a command would find them now, and where each comes from. */
export async function settingsInForce(context: CommandContext): Promise<InForce[]> {
  const profile = namedProfile(context);
  const baseUrl = chooseBaseUrl(context, profile);
  const store = chooseStoreOf(context.io, profile, undefined);
  return [
    { setting: 'config_file', value: profile.path, from: configSource(context.io) },
    {
      setting: 'profile',
      value: profile.name,
      from: profileSource(profile),
    },
    { setting: 'base_url', value: withoutCredentials(baseUrl.value), from: baseUrl.source },
    { setting: 'api_key', ...(await keyInForce(context, profile, baseUrl.value)) },
    { setting: 'store', value: store.value, from: store.source },
  ];
}
