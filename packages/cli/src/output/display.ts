import { AsyncLocalStorage } from 'node:async_hooks';
import { type Io, setting } from '../io.ts';

/** How a command shows amounts and times: as the store or service does, not as this machine would. */
interface Display {
  /** ISO 4217. */
  currency: string;
  /** IANA name of the zone of times that come without one. */
  timezone: string;
}

/** Those of the server, whose settings have the same names. */
const defaults: Display = { currency: 'IDR', timezone: 'Asia/Jakarta' };

const running = new AsyncLocalStorage<Display>();

const isValid = (options: Intl.NumberFormatOptions & Intl.DateTimeFormatOptions): boolean => {
  try {
    return Boolean(new Intl.NumberFormat('en', options) && new Intl.DateTimeFormat('en', options));
  } catch {
    return false;
  }
};

/** The server rejects a bad value when it starts; here it is no hindrance. The check loads much, so only what is set is checked. */
function readDisplay(io: Io): Display {
  const currency = setting(io, 'TOPUP_CURRENCY');
  const timezone = setting(io, 'TOPUP_TIMEZONE');
  return {
    currency: currency && isValid({ style: 'currency', currency }) ? currency : defaults.currency,
    timezone: timezone && isValid({ timeZone: timezone }) ? timezone : defaults.timezone,
  };
}

/** Runs a command; what it prints has the currency and the time zone of its environment. */
export const withDisplay = <Result>(io: Io, run: () => Result): Result => running.run(readDisplay(io), run);

/** The currency and the time zone of the running command. */
export const currentDisplay = (): Display => running.getStore() ?? defaults;
