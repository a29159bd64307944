import { type Dialect, defaultFieldLimits, kitDialect, type Limits, type Locale } from '../contract/index.ts';

/** Default limits of live mode for one person (`docs/open-points.md`, limits). A sandbox has no default limits. */
export const defaultLimits: Limits = {
  ...defaultFieldLimits,
  bodyBytes: 64 * 1024,
  readsPerMinute: 120,
  ordersPerMinute: 20,
};

/** Default limits of live mode for a key. They are higher, because a shop sends all its customers' orders with one key from one address. */
export const shopRates = { readsPerMinute: 6_000, ordersPerMinute: 600 };

export interface AppSettings {
  /** Absolute URL at which clients reach the service, without a trailing slash. It never comes from a request. */
  publicUrl: string;
  /** The interface's path: `/api`, or empty. */
  basePath: string;
  /** IANA time zone for times in responses. */
  timezone: string;
  locale: Locale;
  /** ISO 4217 code, for display only. */
  currency: string;
  limits: Limits;
  /** Choices that the interface leaves open; this kit's own dialect by default. */
  dialect?: Dialect;
}

/** Returns the dialect and the time zone in effect. */
export function resolveDialect({ dialect = kitDialect, timezone }: AppSettings): {
  dialect: Dialect;
  timezone: string;
} {
  return { dialect, timezone: dialect.timezone ?? timezone };
}
