import { type Dialect, defaultFieldLimits, kitDialect, type Limits, type Locale } from '../contract/index.ts';

/** The default limits of live mode for one person (`docs/open-points.md`, limits). A sandbox has no rate limits by default. */
export const defaultLimits: Limits = {
  ...defaultFieldLimits,
  bodyBytes: 64 * 1024,
  readsPerMinute: 120,
  ordersPerMinute: 20,
};

/** The default rates of live mode for a key: one key and one address place the orders of all customers of a shop. */
export const shopRates = { readsPerMinute: 6_000, ordersPerMinute: 600 };

export interface AppSettings {
  /** The absolute URL at which clients reach the service, without a trailing slash. It is never taken from a request. */
  publicUrl: string;
  /** The path of the interface: `/api`, or empty. */
  basePath: string;
  /** IANA name of the time zone for times in responses. */
  timezone: string;
  locale: Locale;
  /** ISO 4217 code; only for display. */
  currency: string;
  limits: Limits;
  /** How the service behaves where the interface leaves a choice open; this kit's own dialect when left out. */
  dialect?: Dialect;
}

/** The dialect and the time zone in effect. */
export function resolveDialect({ dialect = kitDialect, timezone }: AppSettings): {
  dialect: Dialect;
  timezone: string;
} {
  return { dialect, timezone: dialect.timezone ?? timezone };
}
