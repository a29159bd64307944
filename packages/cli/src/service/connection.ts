import { sandboxKey } from '@topup-kit/core/engine';
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
import { programName } from '../io.ts';
import { shellWord } from '../output/text.ts';

/** The service to ask, and where its address and its key come from. */
export interface Connection {
  baseUrl: string;
  urlFrom: Origin;
  /** `--base-url`, `TOPUP_BASE_URL`, `profile shop`, `default`. */
  urlSource: string;
  apiKey: string;
  /** The well-known key of sandboxes is the default. */
  keyFrom: Origin;
  keySource: string;
  profile: ChosenProfile;
}

export { sandboxKey };

/** Where `topup serve --sandbox` answers when nothing is configured. */
export const sandboxBaseUrl = 'http://127.0.0.1:4000/api';

export const chooseBaseUrl = (context: CommandContext, profile: ChosenProfile): ResolvedSetting =>
  chooseSetting(context.io, {
    flag: { name: '--base-url', value: context.globals.baseUrl },
    variable: 'TOPUP_BASE_URL',
    inProfile: 'base_url',
    profile,
    otherwise: sandboxBaseUrl,
  });

export const invalidBaseUrl = ({ urlSource }: Pick<Connection, 'urlSource'>): CliError =>
  usageError(
    `${urlSource} must be an http(s) URL such as https://shop.example/api.`,
    'Leave out credentials, query and fragment; the key goes into TOPUP_API_KEY.',
  );

/** A base URL as a URL; undefined when it can't be the base of an interface. */
export function parseBaseUrl(baseUrl: string): URL | undefined {
  const url = URL.parse(baseUrl);
  const fits =
    url && /^https?:$/.test(url.protocol) && !url.username && !url.password && !/[?#]/.test(baseUrl);
  return fits ? url : undefined;
}

/** Where a server of this kit keeps what is beside the interface, whose usual path is `/api`; another is left out whole. */
export const serverRoot = ({ origin, pathname }: URL): string =>
  origin + (/^(.*)\/api\/?$/.exec(pathname)?.[1] ?? '');

/** Whether an address is this machine's own. */
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

/** Chooses what to ask and with which key; the well-known key of sandboxes goes to this machine alone. */
export async function chooseConnection(context: CommandContext): Promise<Connection> {
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

/** A command line that asks the same service as a command does. */
export function sameService(context: CommandContext, args: string): string {
  const { baseUrl, profile } = context.globals;
  const flags = [
    ...(baseUrl === undefined ? [] : [`--base-url ${shellWord(baseUrl)}`]),
    ...(profile === undefined ? [] : [`--profile ${shellWord(profile)}`]),
  ];
  return [programName(context.io), args, ...flags].join(' ');
}
