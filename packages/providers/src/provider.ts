import type { RemoteGateway } from '@topup-kit/core/gateway';
import type { Clock } from '@topup-kit/core/platform';
import type { Supplier } from '@topup-kit/core/supplier';

/** Setting of a provider: its environment variable and its description. */
export interface ProviderSetting {
  name: string;
  /** Purpose of the setting, for help and documentation. */
  purpose: string;
  /** True for a secret, which is never shown. It can also be read from the file in `{name}_FILE`. */
  secret: boolean;
  /** Kind of the value. A list contains the only allowed values. */
  kind: 'text' | 'url' | 'email' | readonly string[];
  /** Default: a string, or the description of a computed default. Null if the setting is required. */
  default: { text: string } | { description: string } | null;
  /** Name of the secret whose previous value this is. */
  previousOf?: string;
  /** Secret of the simulator, which is public in this repository. */
  published?: string;
}

/**
 * Column names of a gateway for comparing statements. CSV files use the names of its public API. The first name that the file contains is
 * used.
 */
export interface StatementColumns {
  /** Reference of the gateway, which orders store. */
  reference: readonly string[];
  orderId: readonly string[];
  amount: readonly string[];
  status: readonly string[];
  /** Statuses of payments that were made, including payments that were refunded later. Payments with other statuses are skipped. */
  paid: readonly string[];
  /** Time of the payment. If the column is missing, the statement is compared without times. */
  paidAt: readonly string[];
}

const required = (name: string, purpose: string) =>
  ({ name, purpose, secret: false, kind: 'text', default: null }) as const;

/** Common kinds of settings. */
export const setting = {
  /** Text that the provider requires. */
  required,

  /** @param published value of the simulator, which a live server accepts only for a simulator */
  secret: <const Published extends string>(name: string, purpose: string, published: Published) =>
    ({ ...required(name, purpose), secret: true, published }) as const,

  /** URL of the API; production by default. */
  url: (name: string, text: string, purpose = 'URL of the API') =>
    ({ name, purpose, secret: false, kind: 'url', default: { text } }) as const,

  /**
   * Previous secret for verifying callbacks. While it is set, callbacks with either signature are accepted, so that a
   * rotation loses no callback: docs/secrets.md.
   */
  previous: (name: string) =>
    ({
      name: `${name}_PREVIOUS`,
      purpose: `previous ${name}, still accepted for callbacks while it is replaced`,
      secret: true,
      kind: 'text',
      default: { description: 'none' },
      previousOf: name,
    }) as const,

  /** E-mail address for orders without an address, if a provider requires one. */
  fallbackEmail: (name: string, title: string) =>
    ({
      name,
      purpose: `e-mail address that ${title} gets for orders without one`,
      secret: false,
      kind: 'email',
      default: { description: 'customer@ and the host of TOPUP_PUBLIC_URL' },
    }) as const,
};

/** Returns an address at the shop's own domain, or at a domain that never exists if the server has no domain name. */
export function fallbackEmail(publicUrl: string | undefined): string {
  const host = (publicUrl && URL.parse(publicUrl)?.hostname) || '';
  const isDomain = /^([a-z0-9-]+\.)+[a-z][a-z0-9-]*$/.test(host);
  return `customer@${isDomain ? host : 'shop.invalid'}`;
}

type Settings = Readonly<Record<string, ProviderSetting>>;

type ValueOf<Kind> = Kind extends readonly (infer Choice)[] ? Choice : string;

type Computed = { default: { description: string } };

/** Values for creating an adapter; undefined only for a setting without a default text. */
export type SettingValues<Of extends Settings> = {
  [Key in keyof Of as Of[Key] extends Computed ? never : Key]: ValueOf<Of[Key]['kind']>;
} & { [Key in keyof Of as Of[Key] extends Computed ? Key : never]?: ValueOf<Of[Key]['kind']> | undefined };

/** Environment that a server provides for its adapters. */
export interface ProviderHost {
  /** Clock in unix milliseconds. */
  clock: Clock;
  /** URL of the server for clients, if it is configured. */
  publicUrl: string | undefined;
  /** Reports, as a sentence, a fact that an operator should know although nothing failed. Facts are not reported if this is omitted. */
  warn?: ((text: string) => void) | undefined;
}

interface Adapters {
  gateway: RemoteGateway;
  supplier: Supplier;
}

export type ProviderKind = keyof Adapters;

/** All facts about a payment gateway or a supplier. */
export interface Provider<Name extends string = string, Kind extends ProviderKind = ProviderKind> {
  /** Name in `TOPUP_GATEWAY` or `TOPUP_SUPPLIER`, in the path of callbacks, and in orders. */
  name: Name;
  title: string;
  kind: Kind;
  settings: readonly ProviderSetting[];
  /** Creates the adapter from the values of all settings, by their names. */
  create(values: ReadonlyMap<string, string>, host: ProviderHost): Adapters[Kind];
  /** Column names for comparing the provider's statement; omitted if no statement can be read. */
  statement?: StatementColumns;
}

interface Definition<Name extends string, Kind extends ProviderKind, Of extends Settings>
  extends Pick<Provider<Name, Kind>, 'name' | 'title' | 'kind' | 'statement'> {
  settings: Of;
  create: (values: SettingValues<Of>, host: ProviderHost) => Adapters[Kind];
}

/** Defines a provider whose adapter gets the settings' values under the keys of their table. */
export const defineProvider = <
  const Name extends string,
  const Kind extends ProviderKind,
  const Of extends Settings,
>({
  settings,
  create,
  ...rest
}: Definition<Name, Kind, Of>): Provider<Name, Kind> => ({
  ...rest,
  settings: Object.values(settings),
  create(values, host) {
    const byKey = Object.entries(settings).map(([key, { name }]) => [key, values.get(name)]);
    // Safe: the caller has a value for each setting without a computed default, and has checked its kind.
    return create(Object.fromEntries(byKey) as SettingValues<Of>, host);
  },
});
