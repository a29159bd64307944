import type { RemoteGateway } from '@topup-kit/core/gateway';
import type { Clock } from '@topup-kit/core/platform';
import type { Supplier } from '@topup-kit/core/supplier';

/** A provider's setting: its environment variable and its description. */
export interface ProviderSetting {
  name: string;
  /** Purpose of the setting, for help and documentation. */
  purpose: string;
  /** A secret is never shown. The file in `{name}_FILE` may contain it. */
  secret: boolean;
  /** A list contains the only allowed values. */
  kind: 'text' | 'url' | 'email' | readonly string[];
  /** A text, or the description of a computed default. Null: the setting is required. */
  default: { text: string } | { description: string } | null;
  /** The name of the secret that this is the previous value of. */
  previousOf?: string;
  /** The simulator's secret, which is public in this repository. */
  published?: string;
}

/**
 * A gateway's column names for comparing statements: names in its public API that a CSV file uses. The first name that the file contains
 * is used.
 */
export interface StatementColumns {
  /** The gateway's reference, which orders store. */
  reference: readonly string[];
  orderId: readonly string[];
  amount: readonly string[];
  status: readonly string[];
  /** Statuses of payments that were made, including those that were paid back later. Others are left out. */
  paid: readonly string[];
  /** Time of the payment; without this column, the statement is compared without times. */
  paidAt: readonly string[];
}

const required = (name: string, purpose: string) =>
  ({ name, purpose, secret: false, kind: 'text', default: null }) as const;

/** Settings that several providers have. */
export const setting = {
  /** A text without which the provider can't be used. */
  required,

  /** @param published the simulator's value, which a live server accepts only for a simulator */
  secret: <const Published extends string>(name: string, purpose: string, published: Published) =>
    ({ ...required(name, purpose), secret: true, published }) as const,

  /** The API's URL; production by default. */
  url: (name: string, text: string, purpose = 'URL of the API') =>
    ({ name, purpose, secret: false, kind: 'url', default: { text } }) as const,

  /**
   * The previous secret for verifying callbacks. While it is set, callbacks with either signature are accepted, so that a rotation loses
   * none: docs/secrets.md.
   */
  previous: (name: string) =>
    ({
      name: `${name}_PREVIOUS`,
      purpose: `previous ${name}, with which callbacks are still accepted during its replacement`,
      secret: true,
      kind: 'text',
      default: { description: 'none' },
      previousOf: name,
    }) as const,

  /** An e-mail address for orders without one, if a provider requires it. */
  fallbackEmail: (name: string, title: string) =>
    ({
      name,
      purpose: `e-mail address that ${title} gets for orders without one`,
      secret: false,
      kind: 'email',
      default: { description: 'customer@ and the host of TOPUP_PUBLIC_URL' },
    }) as const,
};

/** An address at the shop's own domain, or at a domain that never exists if the server has no domain name. */
export function fallbackEmail(publicUrl: string | undefined): string {
  const host = (publicUrl && URL.parse(publicUrl)?.hostname) || '';
  const isDomain = /^([a-z0-9-]+\.)+[a-z][a-z0-9-]*$/.test(host);
  return `customer@${isDomain ? host : 'shop.invalid'}`;
}

type Settings = Readonly<Record<string, ProviderSetting>>;

type ValueOf<Kind> = Kind extends readonly (infer Choice)[] ? Choice : string;

type Computed = { default: { description: string } };

/** The values for creating an adapter; undefined only for a setting without a default text. */
export type SettingValues<Of extends Settings> = {
  [Key in keyof Of as Of[Key] extends Computed ? never : Key]: ValueOf<Of[Key]['kind']>;
} & { [Key in keyof Of as Of[Key] extends Computed ? Key : never]?: ValueOf<Of[Key]['kind']> | undefined };

/** A server's environment for its adapters. */
export interface ProviderHost {
  /** Unix milliseconds. */
  clock: Clock;
  /** URL of the server for clients, if one is configured. */
  publicUrl: string | undefined;
  /** Reports a fact that an operator should know although nothing failed, as a sentence; not reported if left out. */
  warn?: ((text: string) => void) | undefined;
}

interface Adapters {
  gateway: RemoteGateway;
  supplier: Supplier;
}

export type ProviderKind = keyof Adapters;

/** All facts about a payment gateway or a supplier. */
export interface Provider<Name extends string = string, Kind extends ProviderKind = ProviderKind> {
  /** Used in `TOPUP_GATEWAY` or `TOPUP_SUPPLIER`, in the path of its callbacks, and in orders. */
  name: Name;
  title: string;
  kind: Kind;
  settings: readonly ProviderSetting[];
  /** Creates the adapter from the values of all settings, by their names. */
  create(values: ReadonlyMap<string, string>, host: ProviderHost): Adapters[Kind];
  /** Column names for comparing its statement; left out if none is read. */
  statement?: StatementColumns;
}

interface Definition<Name extends string, Kind extends ProviderKind, Of extends Settings>
  extends Pick<Provider<Name, Kind>, 'name' | 'title' | 'kind' | 'statement'> {
  settings: Of;
  create: (values: SettingValues<Of>, host: ProviderHost) => Adapters[Kind];
}

/** Creates an adapter with its settings' values under the keys of their table. */
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
    // Safe: the caller has a value for each setting without a computed default, and has checked it by its kind.
    return create(Object.fromEntries(byKey) as SettingValues<Of>, host);
  },
});
