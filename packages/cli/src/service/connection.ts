import { sandboxKey } from '@topup-kit/core/contract';
import {
  type ChosenProfile,
  chooseKey,
  chooseProfile,
  chooseSetting,
  type Origin,
  type ResolvedSetting,
} from '../config/resolve.ts';
import type { CommandContext } from '../context.ts';
import { CliError, exitCodes, usageError } from '../errors/cli-error.ts';
import { programName, setting } from '../io.ts';
import { shellWord } from '../output/text.ts';

/** The service to use, and where its address and key come from. */
export interface ServiceConnection {
  baseUrl: string;
  urlFrom: Origin;
  /** For people: `--base-url`, `TOPUP_BASE_URL`, `profile shop`, `default`. */
  urlSource: string;
  apiKey: string;
  /** `default` is the well-known key of sandboxes. */
  keyFrom: Origin;
  keySource: string;
  profile: ChosenProfile;
}

export { sandboxKey };

/** The base URL of `topup serve --sandbox` with default settings. */
export const sandboxBaseUrl = 'http://127.0.0.1:4000/api';

/** Settings of a server, without which PORT may be that of any other program. */
const serverSettings = ['TOPUP_STORE', 'TOPUP_STORE_FILE', 'TOPUP_PUBLIC_URL'];

/** Where the port of the server of this machine comes from. */
export const ownPort = "PORT of the server's settings";

/** The server of this machine that a server's own settings name; undefined when they name no port. */
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

/** Parses a base URL; undefined if it can't be one. */
export function parseBaseUrl(baseUrl: string): URL | undefined {
  const url = URL.parse(baseUrl);
  const fits =
    url && /^https?:$/.test(url.protocol) && !url.username && !url.password && !/[?#]/.test(baseUrl);
  return fits ? url : undefined;
}

/**
 * The URL of this kit's other routes, such as `/health`: the base URL without the usual `/api`, or without its whole
 * path.
 */
export const serverRoot = ({ origin, pathname }: URL): string =>
  origin + (/^(.*)\/api\/?$/.exec(pathname)?.[1] ?? '');

/** Whether a URL is on this machine. */
export const isLoopback = ({ hostname }: URL): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);

function noKey(origin: string, { name, settings }: ChosenProfile): CliError {
  const kept =
    settings.api_key === undefined ? '' : ` The key of profile ${name} is only for its own base URL.`;
  return new CliError(`No key for ${origin}, so nothing was sent.${kept}`, {
    code: 'NO_API_KEY',
    exitCode: exitCodes.auth,
    hint: 'Set TOPUP_API_KEY to your key, name a file with --key-file, or save the key in a profile with `topup login`.',
  });
}

/** Chooses service and key; the well-known key of sandboxes is only sent to this machine. */
export async function chooseConnection(context: CommandContext): Promise<ServiceConnection> {
  const profile = chooseProfile(context);
  const { value: baseUrl, origin: urlFrom, source: urlSource } = chooseBaseUrl(context, profile);
  const url = parseBaseUrl(baseUrl);
  if (url === undefined) throw invalidBaseUrl({ urlSource });
  const address = { baseUrl, urlFrom, urlSource, profile };
  const key = await chooseKey(context, { profile, baseUrl });
  if (key) return { ...address, apiKey: key.value, keyFrom: key.origin, keySource: key.source };
  if (!isLoopback(url)) throw noKey(url.origin, profile);
  return { ...address, apiKey: sandboxKey, keyFrom: 'default', keySource: 'default' };
}

/** A command line for the same service. */
export function sameService(context: CommandContext, args: string): string {
  const { baseUrl, profile } = context.globals;
  const flags = [
    ...(baseUrl === undefined ? [] : [`--base-url ${shellWord(baseUrl)}`]),
    ...(profile === undefined ? [] : [`--profile ${shellWord(profile)}`]),
  ];
  return [programName(context.io), args, ...flags].join(' ');
}
