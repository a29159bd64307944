import { AsyncLocalStorage } from 'node:async_hooks';
import type { StoreDisplay } from '@topup-kit/core/store';
import { type Io, setting } from '../io.ts';

/** Those of a server without settings. */
const defaults: StoreDisplay = { currency: 'IDR', timezone: 'Asia/Jakarta' };

interface Running {
  /** What the environment sets, which takes precedence over the store. */
  given: Partial<StoreDisplay>;
  /** What the command's store says; null without one. */
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

/** The server rejects a bad value when it starts; here it is no hindrance. The check loads much, so only what is set is checked. */
function readEnvironment(io: Io): Partial<StoreDisplay> {
  const currency = setting(io, 'TOPUP_CURRENCY');
  const timezone = setting(io, 'TOPUP_TIMEZONE');
  return {
    ...(currency && isValid({ style: 'currency', currency }) && { currency }),
    ...(timezone && isValid({ timeZone: timezone }) && { timezone }),
  };
}

/** Runs a command; what it prints has the currency and the time zone of its environment or its store, not of this machine. */
export const withDisplay = <Result>(io: Io, run: () => Result): Result =>
  running.run({ given: readEnvironment(io), store: null }, run);

/** Takes currency and time zone from the store that the command works on; null when no server has used it yet. */
export function followStore(display: StoreDisplay | null): void {
  const current = running.getStore();
  if (current && display) current.store = display;
}

/** How amounts and times of a store are shown: by the environment, else by the store. */
export const displayOf = (store: StoreDisplay | null): StoreDisplay => ({
  ...(store ?? defaults),
  ...running.getStore()?.given,
});

/** The currency and the time zone of the running command. */
export const currentDisplay = (): StoreDisplay => displayOf(running.getStore()?.store ?? null);
