import type { Clock } from '@topup-kit/core/platform';

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
}

/**
 * The previous value of a secret by which callbacks are verified. While it is set, those signed with either value are accepted, so
 * that a secret is replaced without losing a callback: docs/secrets.md.
 */
export const previousSecret = <const Name extends string>(name: Name) =>
  ({
    name: `${name}_PREVIOUS`,
    purpose: `previous ${name}, by which callbacks are accepted, too, while it is replaced`,
    secret: true,
    kind: 'text',
    default: { description: 'none' },
    previousOf: name,
  }) as const;

type Settings = Readonly<Record<string, ProviderSetting>>;

type ValueOf<Kind> = Kind extends readonly (infer Choice)[] ? Choice : string;

/** What an adapter is created from: undefined only where a setting has no default text. */
type Values<Of extends Settings> = {
  [Key in keyof Of]:
    | ValueOf<Of[Key]['kind']>
    | (Of[Key]['default'] extends { description: string } ? undefined : never);
};

/** What a server gives to the adapters that it creates. */
export interface ProviderHost {
  /** Unix milliseconds. */
  clock: Clock;
  /** URL of the server for clients, if one is configured. */
  publicUrl: string | undefined;
}

/** A provider that a server can be configured with. */
export interface Provider<Adapter> {
  settings: readonly ProviderSetting[];
  /** Creates the adapter from the values of all settings, by their names. */
  create(values: ReadonlyMap<string, string>, host: ProviderHost): Adapter;
}

/** Joins the settings of a provider with the adapter that is created from them. */
export const defineProvider = <const Of extends Settings, Adapter>(
  settings: Of,
  create: (values: Values<Of>, host: ProviderHost) => Adapter,
): Provider<Adapter> => ({
  settings: Object.values(settings),
  create(values, host) {
    const byKey = Object.entries(settings).map(([key, { name }]) => [key, values.get(name)]);
    // Safe: the caller has a value for each setting without a computed default, and has checked it by its kind.
    return create(Object.fromEntries(byKey) as Values<Of>, host);
  },
});
