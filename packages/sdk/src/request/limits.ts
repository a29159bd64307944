import type { Operation } from '@topup-kit/core/contract';
import type { RequestOptions } from '../options.ts';
import { checkNumber, refuse } from './check-option.ts';

/** How long and how often a call may try. */
export type Limits = Required<{ [Name in 'timeout' | 'totalTimeout' | 'retries']: number }>;

/** In milliseconds; timers of every runtime take no more than 2^31 - 1, almost 25 days. */
export const timeoutBounds = [1, 2_147_483_647] as const;

/** The limits given, checked, and the defaults for the others. */
export function resolveLimits(given: RequestOptions, defaults: Limits, operation?: Operation): Limits {
  const {
    timeout = defaults.timeout,
    totalTimeout = defaults.totalTimeout,
    retries = defaults.retries,
    signal,
  } = given;
  checkNumber('timeout', timeout, timeoutBounds, { operation });
  checkNumber('totalTimeout', totalTimeout, timeoutBounds, { operation });
  checkNumber('retries', retries, [0, 100], { operation });
  // Another object would fail deep inside, as no error of this package.
  if (signal && typeof signal.addEventListener !== 'function')
    refuse('signal', 'an AbortSignal', { operation });
  return { timeout, totalTimeout, retries };
}
