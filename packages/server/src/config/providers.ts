import { readFileSync } from 'node:fs';
import type { RemoteGateway } from '@topup-kit/core/gateway';
import type { Supplier } from '@topup-kit/core/supplier';
import { type GatewayName, gateways } from '@topup-kit/providers/gateways';
import type { Provider, ProviderHost, ProviderSetting } from '@topup-kit/providers/settings';
import { type SupplierName, suppliers } from '@topup-kit/providers/suppliers';
import { isLocalName } from '../edge/direct.ts';
import { ConfigError, webAddress } from './variable.ts';

/** The names that `TOPUP_GATEWAY` and `TOPUP_SUPPLIER` take. */
export const gatewayNames = Object.keys(gateways) as GatewayName[]; // safe: the keys of a const table
export const supplierNames = Object.keys(suppliers) as SupplierName[];

/** The settings of every provider, by its name. */
export const providerSettings: Readonly<Record<GatewayName | SupplierName, readonly ProviderSetting[]>> = {
  tripay: gateways.tripay.settings,
  midtrans: gateways.midtrans.settings,
  digiflazz: suppliers.digiflazz.settings,
  'vip-reseller': suppliers['vip-reseller'].settings,
};

/** Values of settings as text: environment variables by their names. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Creates what the settings choose. The secrets are nowhere else, so that a logged configuration shows none. */
export interface ConfiguredParts {
  createGateway: ((host: ProviderHost) => RemoteGateway) | undefined;
  createSupplier: ((host: ProviderHost) => Supplier) | undefined;
  /** All secrets, for a log that shows none of them. */
  secrets: () => readonly string[];
}

function readSecretFile(variable: string, path: string): string {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason';
    throw new ConfigError(`${variable} names the file ${path}, which can't be read (${code}).`, {
      cause: error,
      setting: variable,
    });
  }
  const secret = text.replace(/\r?\n$/, '');
  if (secret !== '') return secret;
  throw new ConfigError(`${variable} names the file ${path}, which is empty.`, { setting: variable });
}

/**
 * The text of a secret: its variable, or the content of the file that `{name}_FILE` names, without the newline at its end.
 *
 * @throws ConfigError when both are set, or the file can't be read or is empty.
 */
export function readSecret(environment: Environment, name: string): string {
  const text = environment[name] ?? '';
  const file = `${name}_FILE`;
  const path = environment[file] ?? '';
  if (path === '') return text;
  if (text !== '') throw new ConfigError(`Set ${name} or ${file}, not both.`, { setting: file });
  return readSecretFile(file, path);
}

const readers: Record<ProviderSetting['kind'], { takes: string; accepts: (text: string) => boolean }> = {
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

/** Reads a setting; undefined when it has no value and no default text. No error shows a value. */
function readSetting(
  environment: Environment,
  { name, secret, kind, default: fallback }: ProviderSetting,
): string | undefined {
  const text = secret ? readSecret(environment, name) : (environment[name] ?? '');
  if (text === '') return fallback && 'text' in fallback ? fallback.text : undefined;
  const { takes, accepts } = readers[kind];
  if (!accepts(text)) throw new ConfigError(`${name} takes ${takes}.`, { setting: name });
  return kind === 'url' ? webAddress(text) : text;
}

const and = new Intl.ListFormat('en');

/** A provider as it is chosen by a setting, with the values of its settings. */
interface Chosen<Adapter> {
  /** The values of its secret settings. */
  secrets: readonly string[];
  create: (host: ProviderHost) => Adapter;
  /** Required settings without a value. */
  missing: readonly ProviderSetting[];
  /** What needs the settings, such as `TOPUP_GATEWAY=tripay`. */
  chosenBy: string;
}

function choose<Adapter>(
  environment: Environment,
  chosenBy: string,
  { settings, create }: Provider<Adapter>,
): Chosen<Adapter> {
  const read = settings.map((setting) => ({ setting, value: readSetting(environment, setting) }));
  const values = new Map(
    read.flatMap(({ setting, value }) => (value === undefined ? [] : [[setting.name, value] as const])),
  );
  return {
    create: (host) => create(values, host),
    secrets: read.flatMap(({ setting, value }) => (setting.secret && value !== undefined ? [value] : [])),
    missing: settings.filter((setting) => setting.default === null && !values.has(setting.name)),
    chosenBy,
  };
}

/** @throws ConfigError that names every setting that is missing, of all providers. */
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
      : [`A secret may be in a file instead, which ${secret}_FILE names, for example.`];
  throw new ConfigError([...needs, ...file].join(' '), { setting: first.name });
}

/**
 * Reads the settings of the chosen gateway and supplier, and of no other provider.
 *
 * @throws ConfigError when one is missing or wrong.
 */
export function readParts(
  environment: Environment,
  { gateway, supplier }: { gateway?: GatewayName | undefined; supplier?: SupplierName | undefined },
): ConfiguredParts {
  const chosenGateway = gateway && choose(environment, `TOPUP_GATEWAY=${gateway}`, gateways[gateway]);
  const chosenSupplier = supplier && choose(environment, `TOPUP_SUPPLIER=${supplier}`, suppliers[supplier]);
  rejectMissing([chosenGateway, chosenSupplier].filter((one) => one !== undefined));
  return {
    createGateway: chosenGateway?.create,
    createSupplier: chosenSupplier?.create,
    secrets: () => [...(chosenGateway?.secrets ?? []), ...(chosenSupplier?.secrets ?? [])],
  };
}
