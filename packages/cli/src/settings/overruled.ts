import { type Io, setting } from '../io.ts';
import type { ProfileSetting } from './config.ts';

export const variableOf = {
  base_url: 'TOPUP_BASE_URL',
  api_key: 'TOPUP_API_KEY',
  store: 'TOPUP_STORE',
} as const satisfies Record<ProfileSetting, string>;

/** Says that a variable wins over what a profile sets; undefined where none does. */
export function overruled(io: Io, ...names: ProfileSetting[]): string | undefined {
  const set = names.map((name) => variableOf[name]).filter((variable) => setting(io, variable) !== undefined);
  if (set.length === 0) return undefined;
  const wins = set.length === 1 ? 'is set, and wins' : 'are set, and win';
  return `${set.join(' and ')} ${wins} over the profile.`;
}
