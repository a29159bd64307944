import { type Dialect, type FieldLimits, kitDialect, type Locale } from '../contract/index.ts';

/** What a deployment may limit; a rate of 0 means no limit. */
export interface Limits extends FieldLimits {
  /** Largest request body, in bytes. */
  bodyBytes: number;
  /** Requests a minute for each pair of key and address. */
  readsPerMinute: number;
  ordersPerMinute: number;
}

/** The limits of live mode (open points: limits); a sandbox has no rate limits unless asked for. */
export const defaultLimits: Limits = {
  text: 255,
  quantity: 100,
  bodyBytes: 64 * 1024,
  readsPerMinute: 120,
  ordersPerMinute: 20,
};

export interface AppSettings {
  /** Where clients reach the service: absolute, without a slash at its end. Never taken from a request. */
  publicUrl: string;
  /** Where the interface is mounted: `/api`, or empty. */
  basePath: string;
  /** IANA name of the zone that times are told in. */
  timezone: string;
  locale: Locale;
  /** ISO 4217; for display alone. */
  currency: string;
  limits: Limits;
  /** How the interface's silence is filled; this kit's own way when left out. */
  dialect?: Dialect;
}

/** What settings say of times and of the interface's silence. */
export function spokenBy({ dialect = kitDialect, timezone }: AppSettings): {
  dialect: Dialect;
  timezone: string;
} {
  return { dialect, timezone: dialect.timezone ?? timezone };
}
