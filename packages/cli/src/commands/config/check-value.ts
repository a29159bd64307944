import { resolve } from 'node:path';
import type { ProfileSetting } from '../../config/file.ts';
import { usageProblem } from '../../errors/cli-error.ts';
import { parseBaseUrl } from '../../service/connection.ts';

function storeAddress(value: string): string {
  const path = /^file:(.+)$/.exec(value)?.[1];
  if (path === undefined)
    throw usageProblem(
      'store takes file:PATH, such as file:./data/topup.db.',
      'It is where a server on this machine keeps its orders.',
    );
  // Commands are given in any folder, and mean the same store.
  return `file:${resolve(path)}`;
}

function baseUrl(value: string): string {
  if (!parseBaseUrl(value))
    throw usageProblem(
      'base_url takes an http(s) URL such as https://shop.example/api.',
      'Leave out credentials, query and fragment.',
    );
  return value;
}

/** Checks the value of a setting that is not secret, and brings it into the form that it is kept in. */
export const checkValue = (name: Exclude<ProfileSetting, 'api_key'>, value: string): string =>
  name === 'store' ? storeAddress(value) : baseUrl(value);
