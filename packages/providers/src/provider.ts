import type { RemoteGateway } from '@topup-kit/core/gateway';
import type { Clock } from '@topup-kit/core/platform';
import type { Supplier } from '@topup-kit/core/supplier';

/** One setting of a provider: its environment variable, and how it is described. */
export interface ProviderSetting {
  name: string;
  /** What the setting does, for help and documentation. */
  purpose: string;
  /** A secret is never shown. The variable `{name}_FILE` may name a file that holds it. */
  secret: boolean;
  /** A list has the only values that it takes. */
  kind: 'text' | 'url' | 'email' | readonly string[];
  /** A text, or a description where the default is computed. Null: the setting is required. */
  default: { text: string } | { description: string } | null;
  /** The name of the secret whose previous value this is. */
  previousOf?: string;
  /** The secret of the simulator, which everybody can read in this repository. */
  published?: string;
}

/**
 * How a gateway calls what a statement is compared by: the columns of a CSV file, by the names of its public API. Of several names the
 * first that the file has counts.
 */
export interface StatementColumns {
  /** The gateway's reference, which orders have as that of their payment. */
  reference: readonly string[];
  /** The order. */
  orderId: readonly string[];
  amount: readonly string[];
  status: readonly string[];
  /** The statuses of payments that were made, also of those that were paid back later. Others are left out. */
  paid: readonly string[];
  /** When it was paid; left out, the statement is compared without times. */
  paidAt: readonly string[];
}

const required = (name: string, purpose: string) =>
  ({ name, purpose, secret: false, kind: 'text', default: null }) as const;

/** The settings that providers have alike. */
export const setting = {
  /** A text without which the provider can't be used. */
  required,

  /** @param published the value in the simulator, which a live server accepts only for a simulator */
  secret: <const Published extends string>(name: string, purpose: string, published: Published) =>
    ({ ...required(name, purpose), secret: true, published }) as const,

  /** The URL of the API: that of production by default. */
  url: (name: string, text: string, purpose = 'URL of the API') =>
    ({ name, purpose, secret: false, kind: 'url', default: { text } }) as const,

  /**
   * The previous value of a secret by which callbacks are verified. While it is set, those signed with either value are accepted, so
   * that a secret is replaced without losing a callback: docs/secrets.md.
   */
  previous: (name: string) =>
    ({
      name: `${name}_PREVIOUS`,
      purpose: `previous ${name}, by which callbacks are accepted, too, while it is replaced`,
      secret: true,
      kind: 'text',
      default: { description: 'none' },
      previousOf: name,
    }) as const,

  /** The e-mail address of orders without one, at a provider that requires it. */
  fallbackEmail: (name: string, title: string) =>
    ({
      name,
      purpose: `e-mail address for orders without one, which ${title} requires`,
      secret: false,
      kind: 'email',
      default: { description: 'customer@ and the host of TOPUP_PUBLIC_URL' },
    }) as const,
};

/** An address at the shop's own domain, or at a domain that never exists when the server has no domain name. */
export function fallbackEmail(publicUrl: string | undefined): string {
  const host = (publicUrl && URL.parse(publicUrl)?.hostname) || '';
  const isDomain = /^([a-z0-9-]+\.)+[a-z][a-z0-9-]*$/.test(host);
  return `customer@${isDomain ? host : 'shop.invalid'}`;
}

type Settings = Readonly<Record<string, ProviderSetting>>;

type ValueOf<Kind> = Kind extends readonly (infer Choice)[] ? Choice : string;

type Computed = { default: { description: string } };

/** What an adapter is created from: undefined only where a setting has no default text. */
export type SettingValues<Of extends Settings> = {
  [Key in keyof Of as Of[Key] extends Computed ? never : Key]: ValueOf<Of[Key]['kind']>;
} & { [Key in keyof Of as Of[Key] extends Computed ? Key : never]?: ValueOf<Of[Key]['kind']> | undefined };

/** What a server gives to the adapters that it creates. */
export interface ProviderHost {
  /** Unix milliseconds. */
  clock: Clock;
  /** URL of the server for clients, if one is configured. */
  publicUrl: string | undefined;
  /** Tells what an operator should know although nothing failed, as a sentence; left out, nobody is told. */
  warn?: ((text: string) => void) | undefined;
}

/** What a provider of each kind is created as; it receives the callbacks, too. */
interface Adapters {
  gateway: RemoteGateway;
  supplier: Supplier;
}

export type ProviderKind = keyof Adapters;

/** All that there is to know of a payment gateway or a supplier. */
export interface Provider<Name extends string = string, Kind extends ProviderKind = ProviderKind> {
  /** In `TOPUP_GATEWAY` or `TOPUP_SUPPLIER`, in the path of its callbacks, and in orders. */
  name: Name;
  /** For people. */
  title: string;
  kind: Kind;
  settings: readonly ProviderSetting[];
  /** Creates the adapter from the values of all settings, by their names. */
  create(values: ReadonlyMap<string, string>, host: ProviderHost): Adapters[Kind];
  /** How it calls what its statement is compared by; left out when nothing reads one. */
  statement?: StatementColumns;
}

interface Definition<Name extends string, Kind extends ProviderKind, Of extends Settings>
  extends Pick<Provider<Name, Kind>, 'name' | 'title' | 'kind' | 'statement'> {
  settings: Of;
  create: (values: SettingValues<Of>, host: ProviderHost) => Adapters[Kind];
}

/** Gives the adapter of a provider the values of its settings under the keys of their table. */
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
