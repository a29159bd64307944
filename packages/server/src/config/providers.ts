import type { RemoteGateway } from '@topup-kit/core/gateway';
import { isLocalName } from '@topup-kit/core/http';
import type { Supplier } from '@topup-kit/core/supplier';
import type { Provider, ProviderHost, ProviderKind, ProviderSetting } from '@topup-kit/providers/provider';
import {
  type GatewayName,
  gateways,
  type ProviderName,
  providers,
  type SupplierName,
  suppliers,
} from '@topup-kit/providers/registry';
import { readSecretText, UnreadableSecret } from './secret-file.ts';
import { ConfigError, webAddress } from './variable.ts';

export const providerSettings = Object.fromEntries(
  providers.map(({ name, settings }) => [name, settings]),
) as Readonly<Record<ProviderName, readonly ProviderSetting[]>>; // Safe: there is one entry per provider.

/** Environment variables by name. */
export type EnvironmentVariables = Readonly<Record<string, string | undefined>>;

/** Functions that create the configured adapters. Only they hold the secrets, so a logged configuration never shows one. */
export interface ConfiguredParts {
  createGateway: ((host: ProviderHost) => RemoteGateway) | undefined;
  createSupplier: ((host: ProviderHost) => Supplier) | undefined;
  /** All suppliers but the first, in the order of the setting. */
  createOtherSuppliers: readonly ((host: ProviderHost) => Supplier)[];
  secrets: () => readonly string[];
  /** Names of settings whose previous secret is also accepted. */
  acceptedPrevious: readonly string[];
}

function readSecretFile(variable: string, path: string): string {
  let text: string;
  try {
    text = readSecretText(path);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason';
    const why = error instanceof UnreadableSecret ? error.message : `can't be read (${code})`;
    throw new ConfigError(`${variable} names the file ${path}, which ${why}.`, {
      cause: error,
      setting: variable,
    });
  }
  const secret = text.replace(/^\ufeff|\r?\n$/g, '');
  if (secret !== '') return secret;
  throw new ConfigError(`${variable} names the file ${path}, which is empty.`, { setting: variable });
}

/**
 * Reads a secret from its variable, or from the file in `{name}_FILE` without the final newline.
 *
 * @throws ConfigError if both are set, or the file can't be read or is empty.
 */
export function readSecret(environment: EnvironmentVariables, name: string): string {
  const text = environment[name] ?? '';
  const file = `${name}_FILE`;
  const path = environment[file] ?? '';
  if (path === '') return text;
  if (text !== '') throw new ConfigError(`Set ${name} or ${file}, not both.`, { setting: file });
  return readSecretFile(file, path);
}

interface SettingReader {
  takes: string;
  accepts: (text: string) => boolean;
}

const readers: Record<Extract<ProviderSetting['kind'], string>, SettingReader> = {
  text: {
    takes: 'printable ASCII characters without a space at either end',
    accepts: (text) => /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(text),
  },
  email: { takes: 'an e-mail address', accepts: (text) => /^[^\s@]+@[^\s@]+$/.test(text) },
  url: {
    takes: 'an https:// URL without query; http:// only on this machine, because keys are sent to it',
    accepts(text) {
      const url = webAddress(text) === undefined ? null : URL.parse(text);
      return url !== null && (url.protocol === 'https:' || isLocalName(url.hostname));
    },
  },
};

const or = new Intl.ListFormat('en', { type: 'disjunction' });

const readerOf = (kind: ProviderSetting['kind']): SettingReader =>
  typeof kind === 'string'
    ? readers[kind]
    : { takes: or.format(kind), accepts: (text) => kind.includes(text) };

/** Reads a setting; undefined if it has neither a value nor a default. Errors never contain the value. */
function readSetting(
  environment: EnvironmentVariables,
  { name, secret, kind, default: fallback }: ProviderSetting,
): string | undefined {
  const text = secret ? readSecret(environment, name) : (environment[name] ?? '');
  if (text === '') return fallback && 'text' in fallback ? fallback.text : undefined;
  const { takes, accepts } = readerOf(kind);
  if (!accepts(text)) throw new ConfigError(`${name} takes ${takes}.`, { setting: name });
  return kind === 'url' ? webAddress(text) : text;
}

/**
 * Rejects the simulator's secrets for any other provider: they are public, so anyone could sign a callback with them.
 *
 * @throws ConfigError
 */
function rejectPublished(read: readonly { setting: ProviderSetting; value: string | undefined }[]): void {
  const published = new Set(read.flatMap(({ setting }) => setting.published ?? []));
  const known = read.find(({ setting, value = '' }) => setting.secret && published.has(value));
  const url = read.find(({ setting }) => setting.kind === 'url');
  if (known === undefined || isLocalName(new URL(url?.value ?? '').hostname)) return;
  throw new ConfigError(
    `${known.setting.name} has the value of the simulator, which is public: set the value of your own account. The simulator's value only works if ${url?.setting.name} is a simulator on this machine.`,
    { setting: known.setting.name },
  );
}

const and = new Intl.ListFormat('en');

/** A provider that a setting chooses, and the values of its settings. */
interface Chosen<Adapter> {
  secrets: readonly string[];
  acceptedPrevious: readonly string[];
  create: (host: ProviderHost) => Adapter;
  /** Required settings without a value. */
  missing: readonly ProviderSetting[];
  /** Setting that chose the provider, such as `TOPUP_GATEWAY={name}`. */
  chosenBy: string;
}

function chooseProvider<Kind extends ProviderKind>(
  environment: EnvironmentVariables,
  name: string | undefined,
  among: readonly Provider<string, Kind>[],
): Chosen<ReturnType<Provider<string, Kind>['create']>> | undefined {
  const provider = among.find((candidate) => candidate.name === name);
  if (provider === undefined) return undefined;
  const { kind, settings, create } = provider;
  const read = settings.map((setting) => ({ setting, value: readSetting(environment, setting) }));
  rejectPublished(read);
  const values = new Map(
    read.flatMap(({ setting, value }) => (value === undefined ? [] : [[setting.name, value] as const])),
  );
  return {
    create: (host) => create(values, host),
    secrets: read.flatMap(({ setting, value }) => (setting.secret && value !== undefined ? [value] : [])),
    acceptedPrevious: read.flatMap(({ setting, value }) =>
      setting.previousOf !== undefined && value !== undefined ? [setting.name] : [],
    ),
    missing: settings.filter((setting) => setting.default === null && !values.has(setting.name)),
    chosenBy: `TOPUP_${kind.toUpperCase()}=${provider.name}`,
  };
}

/** @throws ConfigError that lists the missing settings of all providers. */
function rejectMissing(chosen: readonly Chosen<unknown>[]): void {
  const all = chosen.flatMap(({ missing }) => missing);
  const [first] = all;
  if (first === undefined) return;
  const needs = chosen
    .filter(({ missing }) => missing.length > 0)
    .map(({ chosenBy, missing }) => `${chosenBy} needs ${and.format(missing.map(({ name }) => name))}.`);
  const secret = all.find((setting) => setting.secret)?.name;
  const file =
    secret === undefined
      ? []
      : [`You can put a secret into a file and set, for example, ${secret}_FILE to its path.`];
  throw new ConfigError([...needs, ...file].join(' '), { setting: first.name });
}

/**
 * Reads the settings of the chosen gateway and suppliers only.
 *
 * @throws ConfigError if a setting is missing or invalid.
 */
export function readParts(
  environment: EnvironmentVariables,
  {
    gateway,
    suppliers: names = [],
  }: { gateway?: GatewayName | undefined; suppliers?: readonly SupplierName[] | undefined },
): ConfiguredParts {
  const chosenGateway = chooseProvider(environment, gateway, gateways);
  const chosenSuppliers = names.flatMap((name) => chooseProvider(environment, name, suppliers) ?? []);
  const chosen = [...(chosenGateway ? [chosenGateway] : []), ...chosenSuppliers];
  rejectMissing(chosen);
  const [first, ...others] = chosenSuppliers;
  return {
    createGateway: chosenGateway?.create,
    createSupplier: first?.create,
    createOtherSuppliers: others.map(({ create }) => create),
    secrets: () => chosen.flatMap(({ secrets }) => secrets),
    acceptedPrevious: chosen.flatMap(({ acceptedPrevious }) => acceptedPrevious),
  };
}
