import type { CallbackOutcome } from '@topup-kit/core/callback';
import type { EngineDependencies } from '@topup-kit/core/engine';
import type { Logger } from 'pino';
import type { Metrics } from '../seeing/metrics.ts';
import { matcherOf } from './address-list.ts';

/** The levels at which callbacks are logged that an operator should know of; the others are logged as info. */
const callbackLevels: Partial<Record<CallbackOutcome, 'warn'>> = {
  rejected: 'warn',
  failed: 'warn',
  contradiction: 'warn',
  reconciliation: 'warn',
  unmatched: 'warn',
};

/** Logs and counts one line for each callback, without anything that it says. */
export const createCallbackLog =
  (
    logger: Logger,
    metrics: Pick<Metrics, 'countCallback'>,
  ): NonNullable<EngineDependencies['reportCallback']> =>
  ({ callbackId, provider, outcome, reason, orderId }, error) => {
    metrics.countCallback(provider, outcome);
    logger[callbackLevels[outcome] ?? 'info'](
      {
        callbackId,
        provider,
        outcome,
        ...(reason !== null && { reason }),
        ...(orderId !== null && { order: orderId }),
        ...(error !== undefined && { err: error }),
      },
      'a callback was handled',
    );
  };

/** At most so many addresses are logged, so that strangers can't fill the memory. */
const maxLoggedAddresses = 1_000;

/** Whether an address may send callbacks. Each address that may not is logged once. */
export function createAddressCheck(entries: readonly string[], logger: Logger): (address: string) => boolean {
  const matches = matcherOf(entries);
  const logged = new Set<string>();
  return (address) => {
    if (matches(address)) return true;
    if (!logged.has(address) && logged.size < maxLoggedAddresses) {
      logged.add(address);
      logger.warn(
        { address },
        'callbacks from this address are rejected: TOPUP_CALLBACK_ADDRESSES does not have it',
      );
    }
    return false;
  };
}
