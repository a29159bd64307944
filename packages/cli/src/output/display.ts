import { AsyncLocalStorage } from 'node:async_hooks';
import type { StoreDisplay } from '@topup-kit/core/store';
import { type Io, setting } from '../io.ts';

/** Defaults of a server. */
const defaults: StoreDisplay = { currency: 'IDR', timezone: 'Asia/Jakarta' };

interface Running {
  /** Values of the environment, which take precedence over the store. */
  given: Partial<StoreDisplay>;
  /** Values of the store; null without a store. */
  store: StoreDisplay | null;
}

const running = new AsyncLocalStorage<Running>();

export const isValid = (options: Intl.NumberFormatOptions & Intl.DateTimeFormatOptions): boolean => {
  try {
    return Boolean(new Intl.NumberFormat('en', options) && new Intl.DateTimeFormat('en', options));
  } catch {
    return false;
  }
};

/** Reads the environment. Here a bad value is ignored; a server rejects it. The check loads much code, so it runs only for given values. */
function readEnvironment(io: Io): Partial<StoreDisplay> {
  const currency = setting(io, 'TOPUP_CURRENCY');
  const timezone = setting(io, 'TOPUP_TIMEZONE');
  return {
    ...(currency && isValid({ style: 'currency', currency }) && { currency }),
    ...(timezone && isValid({ timeZone: timezone }) && { timezone }),
  };
}

/** Runs a command whose output uses the currency and time zone of its environment or store, not of this machine. */
export const withDisplay = <Result>(io: Io, run: () => Result): Result =>
  running.run({ given: readEnvironment(io), store: null }, run);

/** Sets the currency and time zone of the command's store; null if no server has used the store yet. */
export function followStore(display: StoreDisplay | null): void {
  const current = running.getStore();
  if (current && display) current.store = display;
}

/** Returns the currency and time zone of a store. The environment takes precedence. */
export const displayOf = (store: StoreDisplay | null): StoreDisplay => ({
  ...(store ?? defaults),
  ...running.getStore()?.given,
});

/** Returns the currency and the time zone of the running command. */
export const currentDisplay = (): StoreDisplay => displayOf(running.getStore()?.store ?? null);
