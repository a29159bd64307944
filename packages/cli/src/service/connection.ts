import { sandboxKey } from '@topup-kit/core/contract';
import {
  type ChosenProfile,
  chooseProfile,
  chooseSetting,
  isSameOrigin,
  type Origin,
  type ResolvedSetting,
} from '../config/resolve.ts';
import type { CommandContext } from '../context.ts';
import { CliError, exitCodes, usageError } from '../errors/cli-error.ts';
import { isKeyText, readSecret } from '../input/secret.ts';
import { programName, setting } from '../io.ts';
import { shellWord } from '../output/text.ts';

/** Service with the sources of its address and key. */
export interface ServiceConnection {
  baseUrl: string;
  urlFrom: Origin;
  /** Source for people: `--base-url`, `TOPUP_BASE_URL`, `profile shop`, `default`. */
  urlSource: string;
  apiKey: string;
  /** Source of the key; `default` means the well-known sandbox key. */
  keyFrom: Origin;
  keySource: string;
  profile: ChosenProfile;
}

export { sandboxKey };

/** Base URL of `topup serve --sandbox` with default settings. */
export const sandboxBaseUrl = 'http://127.0.0.1:4000/api';

/** Settings of a server. Without them, PORT may belong to another program. */
const serverSettings = ['TOPUP_STORE', 'TOPUP_STORE_FILE', 'TOPUP_PUBLIC_URL'];

/** Source of the server's port on this machine. */
export const ownPort = "PORT of the server's settings";

/** Returns the server on this machine that a server's settings describe; undefined without a port. */
function ownServer({ io }: CommandContext): ResolvedSetting | undefined {
  const port = setting(io, 'PORT');
  const isOfServer = serverSettings.some((name) => setting(io, name) !== undefined);
  if (port === undefined || !isOfServer || !/^[1-9]\d{0,4}$/.test(port)) return undefined;
  const path = (setting(io, 'TOPUP_BASE_PATH') ?? '/api').replace(/^\/*/, '/');
  return { value: `http://127.0.0.1:${port}${path}`, origin: 'environment', source: ownPort };
}

export function chooseBaseUrl(
  context: CommandContext,
  profile: ChosenProfile = chooseProfile(context),
): ResolvedSetting {
  const chosen = chooseSetting(context.io, 'base_url', {
    flag: { name: '--base-url', value: context.globals.baseUrl },
    profile,
    defaultValue: sandboxBaseUrl,
  });
  return (chosen.origin === 'default' && ownServer(context)) || chosen;
}

export const invalidBaseUrl = ({ urlSource }: Pick<ServiceConnection, 'urlSource'>): CliError =>
  usageError(
    `${urlSource} must be an http(s) URL such as https://shop.example/api.`,
    'Leave out credentials, query and fragment; the key goes into TOPUP_API_KEY.',
  );

/** Parses a base URL; undefined if the text can't be a base URL. */
export function parseBaseUrl(baseUrl: string): URL | undefined {
  const url = URL.parse(baseUrl);
  const fits =
    url && /^https?:$/.test(url.protocol) && !url.username && !url.password && !/[?#]/.test(baseUrl);
  return fits ? url : undefined;
}

/** Returns the URL of this kit's other routes, such as `/health`: the base URL without the usual `/api`, or without its whole path. */
export const serverRoot = ({ origin, pathname }: URL): string =>
  origin + (/^(.*)\/api\/?$/.exec(pathname)?.[1] ?? '');

export const isLoopback = ({ hostname }: URL): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);

/** Rejects an invalid key before any request. */
function checked(key: ResolvedSetting): ResolvedSetting {
  if (isKeyText(key.value)) return key;
  throw new CliError(`The key of ${key.source} is not valid.`, {
    code: 'INVALID_API_KEY',
    exitCode: exitCodes.usage,
    hint: 'A key is visible ASCII characters without spaces or line breaks. Copy the whole key again.',
  });
}

/**
 * Returns the key for a service; undefined if there is none. A profile's key is only for the origin of the profile's base URL, and the
 * well-known key of sandboxes is only for this machine.
 */
export async function chooseKey(
  context: CommandContext,
  baseUrl: string,
  { name, settings: { base_url, api_key } }: ChosenProfile,
): Promise<ResolvedSetting | undefined> {
  const { keyFile } = context.globals;
  if (keyFile !== undefined) {
    const value = await readSecret(context.io, keyFile, '--key-file');
    return { value, origin: 'flag', source: '--key-file' };
  }
  const value = setting(context.io, 'TOPUP_API_KEY');
  if (value !== undefined) return checked({ value, origin: 'environment', source: 'TOPUP_API_KEY' });
  if (api_key !== undefined && base_url !== undefined && isSameOrigin(base_url, baseUrl))
    return checked({ value: api_key, origin: 'profile', source: `profile ${name}` });
  const url = parseBaseUrl(baseUrl);
  return url && isLoopback(url) ? { value: sandboxKey, origin: 'default', source: 'default' } : undefined;
}

function noKey(origin: string, { name, settings }: ChosenProfile): CliError {
  const kept =
    settings.api_key === undefined ? '' : ` The key of profile ${name} is only for its own base URL.`;
  return new CliError(`No key for ${origin}, so nothing was sent.${kept}`, {
    code: 'NO_API_KEY',
    exitCode: exitCodes.auth,
    hint: 'Set TOPUP_API_KEY to your key, name a file with --key-file, or save the key in a profile with `topup login`.',
  });
}

export async function chooseConnection(context: CommandContext): Promise<ServiceConnection> {
  const profile = chooseProfile(context);
  const { value: baseUrl, origin: urlFrom, source: urlSource } = chooseBaseUrl(context, profile);
  const url = parseBaseUrl(baseUrl);
  if (url === undefined) throw invalidBaseUrl({ urlSource });
  const key = await chooseKey(context, baseUrl, profile);
  if (!key) throw noKey(url.origin, profile);
  return {
    baseUrl,
    urlFrom,
    urlSource,
    profile,
    apiKey: key.value,
    keyFrom: key.origin,
    keySource: key.source,
  };
}

export function sameService(context: CommandContext, args: string): string {
  const { baseUrl, profile } = context.globals;
  const flags = [
    ...(baseUrl === undefined ? [] : [`--base-url ${shellWord(baseUrl)}`]),
    ...(profile === undefined ? [] : [`--profile ${shellWord(profile)}`]),
  ];
  return [programName(context.io), args, ...flags].join(' ');
}
